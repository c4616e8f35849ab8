package dev.stowage.sim.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowSumsTest {
    @TempDir
    private Path dir;

    @Test
    void sumsOfPartsAreLeftOut() {
        LoadReport report = read(
                "Name,vCPU,RAM GB",
                "a,4,16",
                "b,4,16",
                "Total A,8,32",
                "c,8,64",
                "Summe Cluster B,8,64",
                "Zwischensumme,1,3");

        assertThat(report.items()).isEqualTo(3);
        assertThat(report.lines())
                .contains(
                        "not counted: 2 rows: a sum of the rows above (Name)",
                        "not counted: 1 row: a sum of other rows (Name)");
    }

    @Test
    void sumsOfASpreadsheetStandInTheColumnOfTheirGroup() {
        LoadReport report = read(
                "Cluster,Name,vCPU,RAM GB",
                "A,a,4,16",
                "A,b,4,16",
                "A Ergebnis,,8,32",
                "B,c,8,64",
                "B Ergebnis,,8,64",
                "Gesamtergebnis,,16,96");

        assertThat(report.items()).isEqualTo(3);
    }

    @Test
    void whatIsCalledASumAndIsNoneCountsAndIsSaid() {
        LoadReport report = read("Name,vCPU,RAM GB", "a,4,16", "b,4,16", "Total commander,2,4", "total-report,8,32");

        assertThat(report.items()).isEqualTo(4);
        assertThat(report.lines())
                .contains("warning: counted: 1 row with nothing or a sum in Name; leave out what only adds up others");
    }

    private LoadReport read(String... rows) {
        return Sources.read(Sources.text(dir, "list.csv", rows)).report();
    }
}
