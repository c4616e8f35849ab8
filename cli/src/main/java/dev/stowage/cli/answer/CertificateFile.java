package dev.stowage.cli.answer;

import dev.stowage.cli.text.BadInputException;
import dev.stowage.cli.text.Console;
import dev.stowage.cli.text.Data;
import dev.stowage.cli.text.Failures;
import dev.stowage.sim.experiment.Experiment;
import dev.stowage.study.size.BoundCertificate;
import dev.stowage.study.size.Sizing;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Writes what a bound follows from; requests that are drawn, and so stand in no file, beside it. */
public final class CertificateFile {
    private static final String ENDING = ".json";

    private CertificateFile() {}

    /** Writes it, and says so. */
    public static void write(String name, Experiment point, @Nullable BoundCertificate certificate, Console console) {
        if (certificate == null) {
            console.warn("stowage: no certificate: no bound is known here");
            return;
        }
        Path file = Path.of(name);
        try {
            Files.writeString(file, Data.json(certificate));
            console.note("stowage: wrote " + file + ": " + certificate.says());
            if (!point.workload().isGiven()) {
                Path requests = Path.of(name.substring(0, name.length() - ENDING.length()) + ".csv");
                try (BufferedWriter out = Files.newBufferedWriter(requests)) {
                    Sizing.writeRequests(point, out);
                }
                console.note("stowage: wrote " + requests + ": the requests of the certificate");
            }
        } catch (IOException e) {
            throw new BadInputException(Failures.whyNotWritten(file, e), e);
        }
    }

    /** What an answer has proven beyond its certificate; empty without one, and where that is all of it. */
    public static String scope(@Nullable String name, Experiment point) {
        return name == null || !point.workload().isConstrained()
                ? ""
                : "The certificate covers amounts alone, without spread or who may run where.";
    }

    /** Refuses a name that does not end as it must. */
    public static void check(@Nullable String name) {
        if (name != null && !name.endsWith(ENDING)) {
            throw new BadInputException("--certificate must end in " + ENDING + ": " + name);
        }
    }
}
