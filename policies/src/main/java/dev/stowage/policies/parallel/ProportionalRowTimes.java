package dev.stowage.policies.parallel;

/** Equation (16): the time of row k is (sum of P_ik L_i) / B_k. */
final class ProportionalRowTimes extends RowTimes {
    private static final int TASKS = ExactSum.WIDTH;

    ProportionalRowTimes(Limits limits) {
        super(limits, ExactSum.WIDTH + 1);
    }

    @Override
    void add(int row, double coefficient, double equivalentLoad) {
        int at = row * width;
        ExactSum.add(state, at, coefficient * equivalentLoad);
        state[at + TASKS]++;
    }

    @Override
    void remove(int row, double coefficient, double equivalentLoad) {
        int at = row * width;
        ExactSum.add(state, at, -coefficient * equivalentLoad);
        if (--state[at + TASKS] == 0) {
            clear(row);
        }
    }

    @Override
    boolean knowsWithout(int row, double equivalentLoad) {
        return true;
    }

    @Override
    double time(int row) {
        return state[row * width] == 0 ? 0 : state[row * width] / limit[row];
    }

    @Override
    double timeWith(int row, double coefficient, double equivalentLoad) {
        return (state[row * width] + coefficient * equivalentLoad) / limit[row];
    }
}
