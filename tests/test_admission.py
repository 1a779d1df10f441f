from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragdash.admission import is_loopback, is_welcome, named_host, providers, sign_in_fault

PROVIDER = {"client_id": "a", "client_secret": "b", "server_metadata_url": "https://c.example"}
SHARED = {
    "redirect_uri": "https://ragdash.example.com:8443/oauth2callback",
    "cookie_secret": "0123456789abcdef0123456789abcdef",
}


@given(st.ip_addresses())
def test_an_address_is_this_machine_where_the_standard_says_so(address) -> None:
    bare = getattr(address, "ipv4_mapped", None) or address
    assert is_loopback(str(address)) == bare.is_loopback
    if address.version == 6:
        assert is_loopback(f"[{address}]") == is_loopback(address.exploded) == bare.is_loopback


@given(st.ip_addresses(network="127.0.0.0/8"))
def test_every_form_of_a_loopback_address_is_this_machine(address) -> None:
    assert is_loopback(str(address))
    assert is_loopback(f"::ffff:{address}")
    assert is_loopback(ipaddress.IPv6Address(f"::ffff:{address}").exploded)


@pytest.mark.parametrize(
    "address",
    ["", None, "0", "0.0.0.0", "::", "[::]", "*", "127.1", "localhost.example.com", "evil",
     "127.0.0.1.nip.io", "::ffff:0.0.0.0", "::ffff:192.168.1.5", "127.0.0.1 ", "unix:///tmp/x"],
)  # fmt: skip
def test_whatever_is_not_surely_this_machine_is_not(address) -> None:
    assert not is_loopback(address)


def test_a_whole_section_has_no_fault_with_one_provider_or_with_named_ones() -> None:
    assert sign_in_fault(SHARED | PROVIDER) == ""
    assert sign_in_fault(SHARED | {"okta": PROVIDER}) == ""
    assert providers(SHARED | PROVIDER) == ("",)
    assert providers(SHARED | {"okta": PROVIDER, "half": {"client_id": "x"}}) == ("okta",)
    assert named_host(SHARED) == "ragdash.example.com"


@pytest.mark.parametrize("secret", ["", "short", "change-me" * 9, "x" * 64, "0" * 32])
def test_a_secret_that_can_be_guessed_is_a_fault(secret) -> None:
    assert "cookie_secret" in sign_in_fault(SHARED | PROVIDER | {"cookie_secret": secret})


def test_what_is_missing_is_named_and_no_value_is_told() -> None:
    assert "no [auth]" in sign_in_fault({})
    assert "redirect_uri" in sign_in_fault(SHARED | PROVIDER | {"redirect_uri": "https://kept"})
    for key in PROVIDER:
        told = sign_in_fault({k: v for k, v in (SHARED | PROVIDER).items() if k != key})
        assert key in told
        assert not any(value in told for value in (*SHARED.values(), "https://c.example"))


@pytest.mark.parametrize(
    ("email", "welcome"),
    [("ann@example.com", True), ("ANN@Example.COM", True), ("bo@partner.example", True),
     ("eve@partner.example", False), ("x@evil-example.com", False), ("@example.com", True),
     ("x@evil.example@example.com", False), ("example.com", False), ("", False), (None, False)],
)  # fmt: skip
def test_a_visitor_is_on_the_list_by_address_or_by_domain(email, welcome) -> None:
    assert is_welcome(email, ["@example.com", "bo@partner.example"]) is welcome
    assert is_welcome(email, [])
