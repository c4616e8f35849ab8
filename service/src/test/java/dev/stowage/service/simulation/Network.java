package dev.stowage.service.simulation;

import java.util.Random;

/**
 * Messages between endpoints: delayed, reordered, lost, between nodes doubled, and cut off by partitions. What a client
 * asks comes once or not at all, as over a connection; a client that asks again knows it.
 */
final class Network {
    private final Agenda agenda;
    private final Random random;
    private final int nodes;
    private final boolean[][] cut;
    private double loss;
    private double slow;

    /** Endpoints are the nodes, then the clients. */
    Network(Agenda agenda, Random random, int nodes, int endpoints) {
        this.nodes = nodes;
        this.agenda = agenda;
        this.random = random;
        cut = new boolean[endpoints][endpoints];
    }

    void send(int from, int to, Runnable delivery) {
        if (cut[from][to] || random.nextDouble() < loss) {
            return;
        }
        deliver(from, to, delivery);
        if (random.nextInt(50) == 0 && from < nodes && to < nodes) {
            deliver(from, to, delivery);
        }
    }

    private void deliver(int from, int to, Runnable delivery) {
        double millis = 0.05 + random.nextDouble() * (random.nextDouble() < slow ? 60 : 1);
        agenda.after(Agenda.millis(millis), () -> {
            if (!cut[from][to]) {
                delivery.run();
            }
        });
    }

    /** Part of the messages is lost, and part is late. */
    void weather(double newLoss, double newSlow) {
        loss = newLoss;
        slow = newSlow;
    }

    /** Cuts endpoints in two groups, in both directions or one. */
    void partition(boolean[] side, boolean oneWay) {
        heal();
        for (int from = 0; from < side.length; from++) {
            for (int to = 0; to < side.length; to++) {
                cut[from][to] = side[from] != side[to] && (side[from] || !oneWay);
            }
        }
    }

    /** Whether every message arrives soon. */
    boolean isCalm() {
        boolean calm = loss == 0 && slow == 0;
        for (boolean[] row : cut) {
            for (boolean one : row) {
                calm &= !one;
            }
        }
        return calm;
    }

    void heal() {
        for (boolean[] row : cut) {
            java.util.Arrays.fill(row, false);
        }
    }
}
