package dev.stowage.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testkit.FreePorts;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real Chromium without a window, and what a test does with it. */
public final class Browser implements AutoCloseable {
    /** Against hanging only. */
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    private static final long POLL_MILLIS = 50;

    private static @Nullable ChromeDriver shared;

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /**
     * A new tab of the browser that tests of one JVM share, one after the other, because a start costs six seconds of
     * processor time. Each test has an origin of its own: what it stored there no other one sees. Where there is no
     * Chromium with its driver the test is skipped, which is said.
     */
    public static Browser open() {
        ChromeDriver driver = shared;
        if (driver == null) {
            ChromeDriver started = start();
            Runtime.getRuntime().addShutdownHook(new Thread(started::quit));
            shared = driver = started;
        }
        Browser browser = new Browser(driver);
        browser.orAnotherNext(() -> browser.size(1400, 900));
        return browser;
    }

    /** What fails with this browser between two tests fails with it for good: the next test starts another. */
    private void orAnotherNext(Runnable act) {
        try {
            act.run();
        } catch (WebDriverException e) {
            shared = null;
            try {
                driver.quit();
            } catch (WebDriverException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    private static ChromeDriver start() {
        Path chromium = program("chromium", "chromium-browser", "google-chrome");
        Path chromedriver = program("chromedriver");
        if (chromium == null || chromedriver == null) {
            System.out.println("skipped: chromium and chromedriver are not here (Debian: chromium, chromium-driver)");
            Assumptions.abort("no chromium");
        }
        ChromeOptions options = new ChromeOptions();
        options.setBinary(Objects.requireNonNull(chromium).toFile());
        // Without a sandbox, because tests run as root in containers too; everything it loads is from this machine.
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
                "--lang=en");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        options.setAcceptInsecureCerts(true);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(Objects.requireNonNull(chromedriver).toFile())
                .usingPort(FreePorts.one())
                .build();
        return new ChromeDriver(service, options);
    }

    private static @Nullable Path program(String... names) {
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        return Arrays.stream(names)
                .flatMap(name -> Stream.concat(Arrays.stream(path.split(File.pathSeparator)), Stream.of("/usr/bin"))
                        .map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /** Size of the page in pixels of CSS; narrow ones are telephones. */
    public void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    }

    void dark(boolean dark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
    }

    /** Script time of this page so far; measuring begins with the first call. */
    double scriptMillis() {
        driver.executeCdpCommand("Performance.enable", Map.of());
        Object metrics =
                driver.executeCdpCommand("Performance.getMetrics", Map.of()).get("metrics");
        for (Object metric : (List<?>) Objects.requireNonNull(metrics)) {
            if (metric instanceof Map<?, ?> one && "ScriptDuration".equals(one.get("name"))) {
                return 1000 * ((Number) Objects.requireNonNull(one.get("value"))).doubleValue();
            }
        }
        throw new AssertionError("no script time in " + metrics);
    }

    public void go(String address) {
        driver.get(address);
    }

    /** To a panel of the page that is shown: without loading it again, so the token stays. */
    void panel(String hash, String title) {
        script("location.hash = arguments[0]", hash);
        until("panel " + title, "return document.querySelector('main h2')?.textContent === '" + title + "'");
    }

    Object script(String script, Object... arguments) {
        Object result = driver.executeScript(script, arguments);
        return result == null ? "" : result;
    }

    /** Waits until a script returns true. */
    public void until(String what, String script, Object... arguments) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!Boolean.TRUE.equals(driver.executeScript(script, arguments))) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited in vain for: " + what + "; the page says:\n" + text("body") + "\n"
                        + String.join("\n", complaints()));
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(what, e);
            }
        }
    }

    /** Waits until an element has a text in it. */
    void untilText(String css, String text) {
        until(
                css + " with " + text,
                "return [...document.querySelectorAll(arguments[0])].some(e => e.textContent.includes(arguments[1]))",
                css,
                text);
    }

    /** All that an element shows. */
    String text(String css) {
        return String.valueOf(script("return document.querySelector(arguments[0])?.innerText ?? ''", css));
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    /** Presses a button by its text. */
    void press(String text) {
        until(
                "button " + text,
                "return [...document.querySelectorAll('button')].some(e => e.textContent === '" + text + "')");
        script(
                "[...document.querySelectorAll('dialog[open] button, button')]"
                        + ".find(e => e.textContent === arguments[0]).click()",
                text);
    }

    /** Shows the token to the page that asks for one. */
    void token(String token) {
        until("question for a token", "return document.querySelector('#token') !== null");
        find("#token").sendKeys(token);
        press("Open the console");
        until("answer", "return document.querySelector('#token') === null");
    }

    /** What the browser complained of: broken scripts, and what the page's policy refused. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.SEVERE.intValue())
                .map(entry -> entry.getMessage())
                // An answer that is a refusal is one too for the browser.
                .filter(message -> !message.contains("Failed to load resource"))
                .toList();
    }

    /** Serious and critical findings of axe-core on what is shown. */
    void assertAccessible(String what) throws IOException {
        if (Boolean.FALSE.equals(script("return 'axe' in globalThis"))) {
            script(resource("/axe.min.js"));
        }
        Object found = driver.executeAsyncScript("const done = arguments[arguments.length - 1];"
                + "axe.run({resultTypes: ['violations']}).then(all => done(all.violations"
                + ".filter(each => ['serious', 'critical'].includes(each.impact))"
                + ".map(each => each.id + ': ' + each.nodes"
                + ".map(node => node.html + ' ' + node.failureSummary).join(' | '))))"
                + ".catch(e => done(['axe failed: ' + e]));");
        assertThat((List<?>) found).as("accessibility of " + what).isEmpty();
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Browser.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    public void picture(Path file) throws IOException {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    /**
     * Closes the tab and each that the test opened beside it, with all that their pages do; what nobody asked for of
     * their complaints is not the next test's.
     */
    @Override
    public void close() {
        orAnotherNext(() -> {
            Set<String> pages = driver.getWindowHandles();
            driver.switchTo().newWindow(WindowType.TAB);
            String next = driver.getWindowHandle();
            for (String page : pages) {
                driver.switchTo().window(page).close();
            }
            driver.switchTo().window(next);
            List<String> unused = complaints();
        });
    }
}
