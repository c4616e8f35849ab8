package dev.stowage.cli.answer;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Failures;
import dev.stowage.cli.text.Version;
import dev.stowage.sim.result.Remark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for an answer as a page. */
public final class ReportOption {
    @Option(
            names = "--report",
            paramLabel = "FILE.html",
            converter = HtmlFile.class,
            description = "Also write the answer as a web page.")
    private @Nullable Path file;

    /** Which of several answers the page is of; empty if it is the only one. */
    private String which = "";

    private String written = "";

    /** A file whose name says that it is a page. */
    static final class HtmlFile implements ITypeConverter<Path> {
        @Override
        public Path convert(String name) {
            return Path.of(ending(name, ".html"));
        }
    }

    /** A file whose name says that it is a picture. */
    public static final class SvgFile implements ITypeConverter<String> {
        @Override
        public String convert(String name) {
            return ending(name, ".svg");
        }
    }

    private static String ending(String name, String ending) {
        if (!name.endsWith(ending)) {
            throw new TypeConversionException("'" + name + "' must end in " + ending);
        }
        return name;
    }

    /**
     * The same for one of several answers: {@code answer-prod.html} beside {@code answer.html}.
     *
     * @param others names of the others' pages, in lower case as some systems do not tell cases apart; its own is added
     */
    public ReportOption of(String name, Set<String> others) {
        ReportOption its = new ReportOption();
        its.which = name;
        if (file != null) {
            String ofAll = file.getFileName().toString();
            String begin = ofAll.substring(0, ofAll.length() - ".html".length()) + "-"
                    + name.replaceAll("[^\\p{L}\\p{N}._-]+", "_");
            String page = begin;
            for (int i = 2; !others.add(page.toLowerCase(Locale.ROOT)); i++) {
                page = begin + "-" + i;
            }
            its.file = file.resolveSibling(page + ".html");
        }
        return its;
    }

    /** Whether a page is wanted. */
    public boolean asked() {
        return file != null;
    }

    /** The name of the page, without a directory; empty until it is written. */
    public String written() {
        return written;
    }

    /** Writes the page, if it is wanted; to the facts it adds how the input was read, the version and the command. */
    public void write(AnswerParts answer, String title, Map<String, List<String>> facts) {
        answer.facts(facts);
        if (file == null) {
            return;
        }
        Map<String, List<String>> all = new LinkedHashMap<>();
        answer.facts()
                .forEach((name, said) ->
                        all.put(name, said.stream().map(Remark::listed).toList()));
        all.put("Stowage", List.of(Version.number()));
        all.put("Again", List.of(again(answer.console().command())));
        write(
                file,
                answer.page(which.isEmpty() ? title : title + ", " + which, all).html(),
                answer.console());
        written = file.getFileName().toString();
    }

    /** Writes a file that an option asks for, and says so. */
    public static void write(Path file, String text, Console console) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new BadInputException(Failures.whyNotWritten(file, e), e);
        }
        console.note("stowage: wrote " + file);
    }

    /** The command, as a shell takes it. */
    public static String again(List<String> arguments) {
        return "stowage " + quoted(arguments);
    }

    /** Arguments, as a shell takes them. */
    public static String quoted(List<String> arguments) {
        return arguments.stream().map(ReportOption::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String argument) {
        return argument.matches("[\\w./:=,%+@-]+")
                ? argument
                : argument.matches("[^\"$`\\\\!]*") ? '"' + argument + '"' : "'" + argument.replace("'", "'\\''") + "'";
    }
}
