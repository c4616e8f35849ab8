package dev.stowage.policies.parallel;

/** Equal shares: the time of row k is (sum of P_ik) (largest L_i) / B_k. */
final class EqualRowTimes extends RowTimes {
    private static final int WEIGHT = 0;
    private static final int LARGEST = 1;
    private static final int SECOND = 2;

    EqualRowTimes(Limits limits) {
        super(limits, 3);
    }

    @Override
    void add(int row, double coefficient, double equivalentLoad) {
        int at = row * width;
        state[at + WEIGHT] += coefficient;
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
        state[at + WEIGHT] -= coefficient;
        if (equivalentLoad == state[at + LARGEST]) {
            state[at + LARGEST] = state[at + SECOND];
        }
    }

    @Override
    double time(int row) {
        int at = row * width;
        return state[at + LARGEST] == 0 ? 0 : state[at + WEIGHT] * state[at + LARGEST] / limit[row];
    }

    @Override
    double timeWith(int row, double coefficient, double equivalentLoad) {
        int at = row * width;
        return (state[at + WEIGHT] + coefficient) * Math.max(state[at + LARGEST], equivalentLoad) / limit[row];
    }
}
