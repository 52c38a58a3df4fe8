"""The page in a real browser: paste, press, read the report."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support import expected_conditions as expected
from selenium.webdriver.support.ui import WebDriverWait

from grapheval.serve import create_app

from .conftest import ANSWER, CONTEXT, pipeline

PATIENCE = 120
"""Seconds; machines are busy."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(create_app(pipeline()), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"
    server.should_exit = True
    thread.join(PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1200,1400",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_page_load_timeout(PATIENCE)
    yield driver
    driver.quit()


def _ask(browser: webdriver.Chrome, address: str, answer: str, button: str) -> str:
    browser.get(address)
    for name, text in (("answer", answer), ("context", CONTEXT)):
        field = browser.find_element(By.NAME, name)
        field.clear()
        field.send_keys(text)
    browser.find_element(By.CSS_SELECTOR, f'button[value="{button}"]').click()
    browser.switch_to.frame(browser.find_element(By.NAME, "report"))
    WebDriverWait(browser, PATIENCE).until(
        expected.presence_of_element_located((By.CSS_SELECTOR, "main h1, main h2, article"))
    )
    return str(browser.find_element(By.TAG_NAME, "body").text)


def test_paste_and_see_the_report(browser: webdriver.Chrome, address: str) -> None:
    text = _ask(browser, address, ANSWER, "check")
    assert "nine million inhabitants" in text
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_the_repaired_answer_is_shown(browser: webdriver.Chrome, address: str) -> None:
    assert "about 700,000" in _ask(browser, address, ANSWER, "correct")


def test_an_answer_cannot_run_a_script(browser: webdriver.Chrome, address: str) -> None:
    hostile = "Oslo <script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> is big."
    text = _ask(browser, address, hostile, "check")
    assert "<script>document.title='owned'</script>" in text
    assert browser.execute_script("return document.title") != "owned"  # type: ignore[no-untyped-call]
    browser.switch_to.default_content()
    assert browser.title == "GraphEval"
