"""On which shelf of the store a game's log stands, the same shelf for ever."""

from __future__ import annotations

import hashlib

ONE_SERVER = 16
CLUSTER = 256

# One key tag for each partition: tag i hashes (CRC16) to the cluster slot 64 * i, so that partitions spread evenly over
# nodes however many there are.  All have four letters: the access rules match tags by their length.
_TABLE = """
    afps bbma abeu bfxg blkf ahvt bquh adjj agbr bkvx acwt bgjf bmyg aamm baey aexk
    bfeh abxz bbpn andd adwe bhco ayik blvi bgwi akcc bcbo aove aeed baxv aapb bemp
    ajuf bfal afix bbtj bhgk adsa blrm aqdw akgg bgsm aora bcfk biuj amhx beit aatf
    bbie aftw ebih abaq ahrp bdfz adnn bhzd bryt agfv bgnb acsp aaii btvk amuw bihe
    afaq efih abtw bfie blzd ahgv bhob alrp agsp bcnb acfv bvyt bmhe aiuw bpvk aeii
    bftj abix bbal anuf adfg bhrm ahzy bdns bgfk akra bcsm aogg aetf bait aihx bmuj
    ajdd bfpn afxz bbeh bhvi adbc bdjw aquu akve bgbo aocc bcwi bamp aepb bexv aaed
    bbxg afeu bfma abps ahcr bdwx alvt bhkf bcjf agwt bovx acbr aaxk beey aemm biyg
    bdcn ahwd bqtx adkz afqc bblq abde bfyw beqo aiee badi ampc agcb bkwh acvd bgkv
    advu bqiw ahjk blwy bfdx abyj bjxf afll aedt bayf aaqr bmex bgvy ackk bkjg aowu
    bqms adrq bdze ahno ajtv bnid afhh bbuz bitz amih behd aauv acoo bvpm agzi bknc
    aqxh bdgj alff byyd bbhu afug bntk ajiy aahy beuk amtg biiu bczt aggf bgor arpp
    bdrl ahff bhnr adzx aniy bjtk abug bfhu bmiu aitg bauk aehy avpp bcor acgf bgzt
    adgw bqxu aqpa bdoc bfuz abhh bjid antv aeuv bahd aiih bmtz bonc aczi brpm agoo
    bhwy adcs bdkg aqte abll bnxf afyj bbdx biex aeqr beyf aadt akwu bojg agkk bcvy
    ahbb bdvh alwd bhjv bbyw afde bflq abqc aipc bedi amee baqo bckv agvd bowh accb
"""
TAGS = tuple(_TABLE.split())


def tags(partitions: int) -> tuple[str, ...]:
    """The key tags of that many partitions, evenly spaced.  ValueError unless the number divides 256.

    >>> tags(4)
    ('afps', 'afaq', 'bdcn', 'bdrl')
    """
    if partitions < 1 or CLUSTER % partitions:
        raise ValueError(f"{partitions} partitions: the number must divide {CLUSTER}")
    return TAGS[:: CLUSTER // partitions]


def partition_of(game: str, partitions: int) -> int:
    """0 ... partitions - 1; depends on nothing but the id and the number."""
    if partitions == 1:
        return 0
    return int.from_bytes(hashlib.sha256(game.encode()).digest()[:8]) % partitions
