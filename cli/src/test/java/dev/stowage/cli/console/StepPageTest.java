package dev.stowage.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** Recorded runs, stepped through in a real browser. */
@Tag("once")
final class StepPageTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HOSTILE =
            "<img src=x onerror=\"hacked=1\"><script>hacked=2</script>\"'`${1}\u202Egnp.exe";
    private static final String SHOWN = "globalThis.stowage?.stepper.moments > arguments[0]";

    @TempDir
    private Path directory;

    private static long moments(Browser browser) {
        return (Long) browser.script("return stowage.stepper.moments");
    }

    /** To a place of the slider, of 10,000. */
    private static void slide(Browser browser, int place) {
        long before = moments(browser);
        browser.script(
                "const slider = document.querySelector('.slider'); slider.value = arguments[0];"
                        + "slider.dispatchEvent(new Event('input'))",
                place);
        browser.until("moment", "return " + SHOWN, before);
    }

    private static JsonNode asked(SteppedRuns runs, String call) throws Exception {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(runs.url() + call)).build(),
                        HttpResponse.BodyHandlers.ofString());
        return JSON.readTree(answer.body());
    }

    @Test
    void twoPoliciesGoInStep() throws Exception {
        try (SteppedRuns runs =
                        new SteppedRuns(directory, 20, 2500, List.of("best-fit", "fifo-ff"), UnaryOperator.identity());
                Browser browser = Browser.open()) {
            browser.go(runs.url());
            browser.until("a moment", "return " + SHOWN, 0);
            browser.until("curves", "return document.querySelectorAll('.chart canvas').length === 4");
            assertThat(browser.script("return document.querySelectorAll('canvas.cells').length"))
                    .isEqualTo(2L);
            // The slider is right: both runs are as they were at this time.
            slide(browser, 5000);
            JsonNode about = asked(runs, "v1/runs");
            long middle = about.get("untilNanos").asLong() * 5000 / 10000
                    + about.get("fromNanos").asLong() / 2;
            for (int run = 0; run < 2; run++) {
                JsonNode figures =
                        asked(runs, "v1/moment?run=" + run + "&at=" + middle).get("figures");
                assertThat(figures.get("running").asLong()).isPositive();
                assertThat(browser.script(
                                "return [...document.querySelectorAll('.run')][arguments[0]]"
                                        + ".querySelectorAll('.tile b')[1].textContent",
                                run))
                        .isEqualTo(String.format(
                                Locale.ROOT, "%,d", figures.get("running").asLong()));
            }
            assertThat(browser.text("main")).contains("Both at this moment", "difference", "Mean wait until now");
            // The next decision, with its reason.
            String before = browser.text(".moment");
            browser.press("Next");
            browser.until("on", "return document.querySelector('.moment').textContent > arguments[0]", before);
            browser.until("its decision", "return document.querySelectorAll('.present').length > 0");
            browser.press("Back");
            browser.press("Back");
            browser.until("back", "return document.querySelector('.moment').textContent < arguments[0]", before);
            // What is asked last is what is shown, whatever is answered last: the second step back may be on its way.
            // The keyboard alone.
            browser.script("document.activeElement.blur()");
            browser.find("body").sendKeys(Keys.HOME);
            browser.until("begin", "return document.querySelector('.moment').textContent.startsWith('00:00:00')");
            browser.find("body").sendKeys(Keys.ARROW_RIGHT);
            browser.until(
                    "second",
                    "return document.querySelector('.slider').getAttribute('aria-valuetext')"
                            + " === document.querySelector('.moment').textContent");
            browser.find("body").sendKeys(Keys.END);
            browser.until("end", "return document.querySelector('.slider').value === '10000'");
            browser.untilText("main p", "Nothing comes after this.");
            // A request: why it was placed there.
            slide(browser, 4000);
            browser.until(
                    "a placement",
                    "return [...document.querySelector('.decided table').rows].some(row => row.cells[2].textContent"
                            + " === 'placed')");
            browser.script("[...document.querySelector('.decided table').rows].find(row =>"
                    + " row.cells[2].textContent === 'placed').querySelector('a').click()");
            browser.untilText(".detail h3", "Request");
            browser.untilText(".detail p", "by the rule");
            browser.untilText(".detail p", "when it was placed");
            assertThat(browser.script("return document.querySelectorAll('.detail svg.candidates rect').length > 1"))
                    .isEqualTo(true);
            // A server, from a cell; what was done to it.
            browser.script("location.hash = ''");
            slide(browser, 9000);
            browser.find("canvas.cells")
                    .sendKeys(Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER);
            browser.untilText(".detail h3", "Server 3");
            browser.untilText(".detail dd", "draining");
            assertThat(browser.text(".detail")).doesNotContain("Drain and move").contains("server=3");
            // Played, both go on.
            slide(browser, 0);
            long played = moments(browser);
            browser.press("Play");
            browser.until("ten pictures", "return " + SHOWN, played + 10);
            browser.press("Pause");
            assertThat(browser.script("return Number(document.querySelector('.slider').value) > 0"))
                    .isEqualTo(true);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    /** Every text of every answer is hostile but those that the page decides by. */
    @Test
    void hostileNamesAreTextOnly() throws Exception {
        Set<String> kept =
                new TreeSet<>(Set.of("state", "status", "phase", "what", "nextPageToken", "resources", "requestId"));
        try (SteppedRuns runs = new SteppedRuns(directory, 4, 300, List.of("best-fit"), answer -> mad(answer, kept));
                Browser browser = Browser.open()) {
            browser.go(runs.url());
            browser.until("a moment", "return " + SHOWN, 0);
            browser.untilText("h2", "<img src=x");
            slide(browser, 5000);
            browser.script("document.querySelector('.decided td a').click()");
            browser.untilText(".detail h3", "Request");
            browser.find("canvas.cells").sendKeys(Keys.HOME, Keys.ENTER);
            browser.untilText(".detail h3", "Server 0");
            browser.untilText(".detail dd", "\\u202egnp.exe");
            assertThat(browser.script("return globalThis.hacked === undefined")).isEqualTo(true);
            assertThat(browser.script("return document.querySelectorAll('main img, main script').length"))
                    .isEqualTo(0L);
            assertThat(browser.complaints()).isEmpty();
        }
    }

    private static String mad(String answer, Set<String> kept) {
        try {
            return mad(JSON.readTree(answer), "", kept).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode mad(JsonNode value, String key, Set<String> kept) {
        if (value instanceof ObjectNode object) {
            object.fieldNames().forEachRemaining(name -> object.set(name, mad(object.get(name), name, kept)));
            if (key.equals("labels")) {
                object.put(HOSTILE, HOSTILE);
            }
        } else if (value instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, mad(array.get(i), key, kept));
            }
        } else if (value.isTextual()
                && !kept.contains(key)
                && !value.textValue().matches("-?[0-9]+")) {
            return TextNode.valueOf(value.textValue() + HOSTILE);
        }
        return value;
    }

    @Test
    void axeFindsNothingSerious() throws Exception {
        try (SteppedRuns runs =
                        new SteppedRuns(directory, 20, 1500, List.of("best-fit", "fifo-ff"), UnaryOperator.identity());
                Browser browser = Browser.open()) {
            browser.go(runs.url());
            browser.until("curves", "return document.querySelectorAll('.chart canvas').length === 4");
            for (boolean dark : new boolean[] {false, true}) {
                browser.dark(dark);
                browser.size(dark ? 390 : 1400, 900);
                slide(browser, dark ? 3000 : 6000);
                browser.script("document.querySelector('.decided td a').click()");
                browser.untilText(".detail h3", "Request");
                browser.assertAccessible("stepping" + (dark ? ", dark, narrow" : ""));
                assertThat(browser.script("return document.documentElement.scrollWidth <= innerWidth"))
                        .isEqualTo(true);
            }
        }
    }

    @Test
    void othersGetNothing() throws Exception {
        try (SteppedRuns runs = new SteppedRuns(directory, 4, 100, List.of("best-fit"), UnaryOperator.identity())) {
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest.Builder moment = HttpRequest.newBuilder(URI.create(runs.url() + "v1/moment?at=1"));
            assertThat(client.send(moment.build(), HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(client.send(
                                    moment.copy()
                                            .header("origin", "http://evil.example")
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("FOREIGN_ORIGIN");
            // As a name of an attacker's that leads here (DNS rebinding).
            try (Socket socket = new Socket(
                    InetAddress.getLoopbackAddress(), URI.create(runs.url()).getPort())) {
                socket.getOutputStream()
                        .write("GET /v1/runs HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("HTTP/1.1 403")
                        .contains("FOREIGN_HOST");
            }
            assertThat(client.send(
                                    moment.copy()
                                            .POST(HttpRequest.BodyPublishers.noBody())
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .isEqualTo(405);
            HttpResponse<String> page = client.send(
                    HttpRequest.newBuilder(URI.create(runs.url())).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(page.headers().firstValue("content-security-policy").orElseThrow())
                    .contains("default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'");
            for (String wrong : List.of("v1/moment?at=x", "v1/moment?bt=1", "v1/moment")) {
                assertThat(client.send(
                                        HttpRequest.newBuilder(URI.create(runs.url() + wrong))
                                                .build(),
                                        HttpResponse.BodyHandlers.ofString())
                                .statusCode())
                        .as(wrong)
                        .isEqualTo(400);
            }
        }
    }
}
