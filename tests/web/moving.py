"""What a guest does to let a seat move."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.guests import Guest


def seat_code(guest: Guest) -> tuple[str, str]:
    """(link, code as it is shown) of the guest's seat, made by clicking."""
    if not guest.page.locator("dialog[open]").count():
        guest.page.get_by_role("button", name="This table").click()
    if not guest.page.locator(".hand-over[open]").count():
        guest.page.get_by_text("Move my seat to another device").click()
    guest.page.get_by_role("button", name="Make a code").click()
    expect(guest.page.locator(".giving svg.qr")).to_be_visible()
    link = guest.page.locator(".giving [data-act='copy']").get_attribute("data-text") or ""
    return link, guest.page.locator(".seat-code").inner_text()
