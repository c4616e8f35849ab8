package dev.stowage.policies.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PaperProblemsTest {
    @Test
    void fatTrees() {
        // y^3 / 4 servers; rows: 1 + y + y^2 / 2, and the servers.
        int[][] sizes = {{2, 2}, {4, 16}, {6, 54}, {8, 128}, {12, 432}, {24, 3456}};
        for (int[] size : sizes) {
            FatTree tree = new FatTree(size[0]);
            assertThat(tree.servers()).isEqualTo(size[1]);
            double[] capacity = new double[tree.servers()];
            Arrays.fill(capacity, 2);
            Limits paper = tree.limits(capacity, FatTree.Fractions.PAPER, false);
            assertThat(paper.rows()).isEqualTo(1 + size[0] + size[0] * size[0] / 2);
            assertThat(tree.limits(capacity, FatTree.Fractions.PAPER, true).rows())
                    .isEqualTo(paper.rows() + size[1]);
            assertThat(paper.limit(0)).isEqualTo(0.2 * 2 * size[1]);
            assertThat(paper.limit(1)).isEqualTo(0.2 * 2 * tree.serversPerPod());
            assertThat(paper.limit(1 + size[0])).isEqualTo(0.3 * 2 * tree.serversPerRack());
            int last = size[1] - 1;
            assertThat(paper.coefficient(last, size[0])).isEqualTo(1);
            assertThat(paper.coefficient(last, 1)).isEqualTo(0);
            assertThat(paper.coefficient(last, paper.rows() - 1)).isEqualTo(1);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FatTree(5))
                .withMessage("arity 5 of a fat tree, must be even and from 2 to 256");
    }

    @Test
    void moments() {
        // Uniform on an interval of length w: mean in the middle, variance w^2 / 12.
        PlanningProblem problem = PaperProblems.of(2000, 12).problem(7);
        double[] load = new double[2000];
        for (int i = 0; i < load.length; i++) {
            load[i] = problem.job().load(i);
        }
        assertUniform(load, 0, 3600);
        double[] capacity = new double[432];
        for (int j = 0; j < capacity.length; j++) {
            capacity[j] = problem.limits().limit(problem.limits().rows() - capacity.length + j);
        }
        assertUniform(capacity, 0, 10);
        double[] efficiency = new double[432 * 100];
        for (int e = 0; e < efficiency.length; e++) {
            efficiency[e] = problem.job().efficiency(e / 432, e % 432);
        }
        assertUniform(efficiency, 0.1, 1);
        double[] budget = new double[1000];
        for (int a = 0; a < budget.length; a++) {
            budget[a] =
                    PaperProblems.budget(7, a, problem.job()) / problem.job().totalLoad();
        }
        assertUniform(budget, 1, 1.1);
        assertThat(problem.energyBudget()).isEqualTo(PaperProblems.budget(7, 0, problem.job()));
    }

    private static void assertUniform(double[] sample, double from, double to) {
        double mean = 0;
        for (double one : sample) {
            assertThat(one).isBetween(from, to);
            mean += one / sample.length;
        }
        double variance = 0;
        for (double one : sample) {
            variance += (one - mean) * (one - mean) / (sample.length - 1);
        }
        double width = to - from;
        // Four standard errors: of the mean w / sqrt(12 n), of the variance w^2 / sqrt(180 n).
        assertThat(mean).isCloseTo((from + to) / 2, within(4 * width / Math.sqrt(12.0 * sample.length)));
        assertThat(variance)
                .isCloseTo(width * width / 12, within(4 * width * width / Math.sqrt(180.0 * sample.length)));
    }

    @Test
    void largerProblemsBeginAsSmallerOnes() {
        PlanningProblem small = PaperProblems.of(10, 4).problem(5);
        PlanningProblem large = PaperProblems.of(20, 6).problem(5);
        assertThat(large.job().load(9)).isEqualTo(small.job().load(9));
        assertThat(large.job().efficiency(9, 15)).isEqualTo(small.job().efficiency(9, 15));
        assertThat(PaperProblems.of(10, 4).problem(6).job().load(9))
                .isNotEqualTo(small.job().load(9));
    }

    @Test
    void smallBudgetsAreCommonOnFewServers() {
        // The least energy of a task is load / (most of M uniform efficiencies): on 16 servers 1 / E[max] is about
        // 1.06.
        int infeasible = 0;
        for (long seed = 0; seed < 200; seed++) {
            infeasible += PaperProblems.of(20, 4).problem(seed).isInfeasible() ? 1 : 0;
        }
        assertThat(infeasible).isBetween(80, 150);
        infeasible = 0;
        for (long seed = 0; seed < 50; seed++) {
            infeasible += PaperProblems.of(20, 12).problem(seed).isInfeasible() ? 1 : 0;
        }
        assertThat(infeasible).isLessThan(6);
    }
}
