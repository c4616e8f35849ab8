package dev.stowage.policies.parallel;

/** Equal shares: the time of row k is (sum of P_ik) (largest L_i) / B_k. The two largest L_i are kept. */
final class EqualRowTimes extends RowTimes {
    private static final int LARGEST = ExactSum.WIDTH;
    private static final int SECOND = LARGEST + 1;

    EqualRowTimes(Limits limits) {
        super(limits, SECOND + 1);
    }

    @Override
    void add(int row, double coefficient, double equivalentLoad) {
        int at = row * width;
        ExactSum.add(state, at, coefficient);
        if (equivalentLoad > state[at + LARGEST]) {
            state[at + SECOND] = state[at + LARGEST];
            state[at + LARGEST] = equivalentLoad;
        } else {
            state[at + SECOND] = Math.max(state[at + SECOND], equivalentLoad);
        }
    }

    @Override
    void remove(int row, double coefficient, double equivalentLoad) {
        int at = row * width;
        ExactSum.add(state, at, -coefficient);
        if (equivalentLoad == state[at + LARGEST]) {
            state[at + LARGEST] = state[at + SECOND];
        }
    }

    @Override
    boolean knowsWithout(int row, double equivalentLoad) {
        return equivalentLoad < state[row * width + SECOND];
    }

    @Override
    double time(int row) {
        int at = row * width;
        return state[at + LARGEST] == 0 ? 0 : state[at] * state[at + LARGEST] / limit[row];
    }

    @Override
    double timeWith(int row, double coefficient, double equivalentLoad) {
        int at = row * width;
        return (state[at] + coefficient) * Math.max(state[at + LARGEST], equivalentLoad) / limit[row];
    }
}
