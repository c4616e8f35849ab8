package dev.stowage.cli.size;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.cli.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an inventory of three VMs, each of half a server, grows. */
final class SizeGrowthTest {
    @TempDir
    Path directory;

    @Test
    void whatToBuyIsAskedByYear() throws IOException {
        Program refused = growth("--until", "18m", "--buy", "16 cores, 128 GiB");
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("--until must be whole years with --buy, as in 2y");
        Program years = growth("--until", "24 months", "--buy", "16 cores, 128 GiB");
        assertThat(years.code()).as(years.err()).isZero();
        assertThat(years.out()).containsPattern("(?m)^2 y +x 1.440 ").doesNotContainPattern("(?m)^3 y ");
    }

    /** Years, and the end within the third: 3 x 1.2^2.75 = 4.95, so 5 VMs, for which three servers are needed. */
    @Test
    void aTableOfYearsHasItsEnd() throws IOException {
        assertThat(growth("--until", "33m").out())
                .containsPattern("(?m)^2 y +x 1.440 ")
                .doesNotContainPattern("(?m)^2.5 y ")
                .containsPattern("(?m)^2.75 y +x 1.651 +3 ");
    }

    private Program growth(String... options) throws IOException {
        Path list = Files.writeString(directory.resolve("vms.csv"), "Name,vCPU,Memory GB\na,8,64\nb,8,64\nc,8,64\n");
        List<String> words = new ArrayList<>(
                List.of("size", list.toString(), "--servers", "1 x 16 cores, 128 GiB", "--growth", "20 %"));
        words.addAll(List.of(options));
        return Program.wide(words.toArray(String[]::new));
    }
}
