"""What a page may do in the browser: load from this house only, run no script but our files, and never make HTML out of text."""

from __future__ import annotations

POLICY = {
    "default-src":               ("'none'",),
    "script-src":                ("'self'",),
    "style-src":                 ("'self'",),
    "img-src":                   ("'self'",),
    "connect-src":               ("'self'",),
    "base-uri":                  ("'none'",),
    "form-action":               ("'none'",),
    "frame-ancestors":           ("'none'",),
    "require-trusted-types-for": ("'script'",),
    "trusted-types":             ("'none'",),
}  # fmt: skip
"""No inline script or style anywhere; with trusted types and no policy, `innerHTML` and its kin throw, so a name stays a name."""

HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {' '.join(sources)}" for name, sources in POLICY.items()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""What every page carries beside the headers of the API's door."""
