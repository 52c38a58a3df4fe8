"""The reports in a real browser: marks, graph, list, keyboard, no error on the console."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from grapheval.report import render
from grapheval.report.many_page import Item, render_many
from grapheval.types import Evaluation, Label, Status

from .test_page import ANSWER, HOSTILE, correction, evaluation, verdict

PATIENCE = 60
"""Seconds; machines are busy."""


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    for flag in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "window-size=1280,1200"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
    driver.set_page_load_timeout(PATIENCE)
    driver.set_script_timeout(PATIENCE)
    yield driver
    driver.quit()


def show(browser: webdriver.Chrome, folder: Path, page: str) -> None:
    file = folder / "report.html"
    file.write_text(page, encoding="utf-8")
    browser.get("about:blank")  # another hash alone would not load the file again
    browser.get(file.as_uri())


def one(browser: webdriver.Chrome, selector: str):  # type: ignore[no-untyped-def]
    return browser.find_element(By.CSS_SELECTOR, selector)


def complaints(browser: webdriver.Chrome) -> list[str]:
    return [entry["message"] for entry in browser.get_log("browser")]


def test_a_click_on_a_mark_shows_its_claim(browser: webdriver.Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, render(correction()))
    assert one(browser, ".ge-answer").text.startswith("Oslo has nine million inhabitants")
    one(browser, "#claim-1 > summary").click()  # shut
    assert one(browser, "#claim-1").get_attribute("open") is None
    one(browser, "a.ge-mark.ge-contradicted").click()
    card = one(browser, "#claim-1")
    assert card.get_attribute("open") is not None
    assert "ge-on" in card.get_attribute("class")
    assert "0.90" in card.text
    assert one(browser, "#claim-1 mark").text == "700,000"
    assert "ge-on" in one(browser, "a.ge-edge[data-claims='1']").get_attribute("class")
    assert one(browser, "#said").get_attribute("textContent") == "Claim 1, contradicted"
    assert one(browser, ".ge-correction .ge-sides del").text.startswith("nine million")
    assert complaints(browser) == []


def test_the_graph_is_seen_and_works_by_keyboard(browser: webdriver.Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, render(evaluation()))
    graph = one(browser, "svg.ge-graph")
    assert graph.size["width"] > 200
    assert len(browser.find_elements(By.CSS_SELECTOR, ".ge-node")) == 3
    edge = one(browser, "a.ge-edge[data-claims='2']")
    assert edge.get_attribute("aria-label") == "2 is in: supported claim, Oslo is in Norway"
    browser.execute_script("arguments[0].focus()", edge)  # type: ignore[no-untyped-call]
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    assert one(browser, "#claim-2").get_attribute("open") is not None
    assert complaints(browser) == []


def test_text_fits_its_boxes(browser: webdriver.Chrome, tmp_path: Path) -> None:
    names = ["Margaret Doyle", "WWW MMM GmbH", "東京都千代田区霞が関", "the reading room on the second floor", "x"]
    verdicts = tuple(verdict((name, "was designed by", f"{name} {n}")) for n, name in enumerate(names))
    show(browser, tmp_path, render(Evaluation(Status.CONSISTENT, None, 0.1, verdicts, answer=ANSWER)))
    too_wide = browser.execute_script(  # type: ignore[no-untyped-call]
        "return [...document.querySelectorAll('.ge-node')].filter(n => n.querySelector('text').getBBox().width"
        " > n.querySelector('rect').getBBox().width).map(n => n.textContent)"
    )
    assert too_wide == []


@pytest.mark.parametrize("many", [False, True])
def test_hostile_text_stays_text(browser: webdriver.Chrome, tmp_path: Path, many: bool) -> None:
    claim = verdict((HOSTILE, HOSTILE, HOSTILE), Label.CONTRADICTED)
    found = Evaluation(Status.INCONSISTENT, None, 0.9, (claim,), answer=HOSTILE)
    show(browser, tmp_path, render_many([Item(HOSTILE, found)]) if many else render(found))
    if many:
        one(browser, "#list a").click()
        WebDriverWait(browser, PATIENCE).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#detail .ge-card"))
    assert "<script>alert(1)</script>" in one(browser, ".ge-one .ge-answer").text
    assert browser.find_elements(By.TAG_NAME, "img") == []
    assert complaints(browser) == []


def test_dark_mode_and_print(browser: webdriver.Chrome, tmp_path: Path) -> None:
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", dark)
    show(browser, tmp_path, render(evaluation()))
    background = "return getComputedStyle(document.body).backgroundColor"
    assert browser.execute_script(background) == "rgb(20, 23, 28)"  # type: ignore[no-untyped-call]
    one(browser, ".ge-theme").click()
    assert browser.execute_script(background) == "rgb(245, 246, 248)"  # type: ignore[no-untyped-call]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": []})
    assert one(browser, ".ge-chips").value_of_css_property("display") == "none"
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


def test_ten_thousand_answers(browser: webdriver.Chrome, tmp_path: Path) -> None:
    chance = random.Random(1)
    claim = verdict(("Oslo", "has", "nine million inhabitants"), Label.CONTRADICTED)
    items = [
        Item(f"q{n}", Evaluation(Status.CONSISTENT, None, chance.random() / 2, answer=f"Answer number {n}."))
        for n in range(9_999)
    ]
    worst = Evaluation(Status.INCONSISTENT, None, 0.9, (claim,), answer="The needle in the haystack.")
    show(browser, tmp_path, render_many([*items, Item("worst", worst)]))
    assert one(browser, "#found").text == "10,000 of 10,000 answers"
    assert one(browser, "#list tr").text.startswith("worst")
    assert len(browser.find_elements(By.CSS_SELECTOR, "#list tr")) == 50
    one(browser, "#after").click()
    assert one(browser, "#page").text == "Page 2 of 200"
    one(browser, "#search").send_keys("number 777.")
    WebDriverWait(browser, PATIENCE).until(lambda b: one(b, "#found").text == "10 of 10,000 answers")  # 777, 1777, …
    one(browser, "#clear").click()
    one(browser, "button[data-source='city.md']").click()
    assert one(browser, "#found").text == "1 of 10,000 answers, source city.md"
    one(browser, "#clear").click()
    one(browser, "button[data-status='inconsistent']").click()
    assert one(browser, "#found").text == "1 of 10,000 answers"
    one(browser, "#list a").send_keys(Keys.ENTER)
    WebDriverWait(browser, PATIENCE).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#detail .ge-card"))
    assert "The needle in the haystack." in one(browser, "#detail").text
    browser.back()
    WebDriverWait(browser, PATIENCE).until(lambda b: one(b, "#overview").is_displayed())
    assert complaints(browser) == []
