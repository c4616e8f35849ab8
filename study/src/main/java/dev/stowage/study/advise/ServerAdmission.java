package dev.stowage.study.advise;

import java.util.List;

/**
 * Which servers a kind of job may use according to rules that do not depend on other jobs. Jobs that share the object
 * are treated alike.
 *
 * @param forbiddenBy one list per server: what forbids it, in words that follow "the server" (as in "does not have
 *     gpu=V100"); empty if it may be used
 * @param unchecked what else the job asks for, and nobody can tell whether a server has it; empty if there is nothing.
 *     A plan keeps room for such a job by all that it knows.
 */
public record ServerAdmission(List<List<String>> forbiddenBy, String unchecked) {
    /** Takes a copy. */
    public ServerAdmission {
        forbiddenBy = List.copyOf(forbiddenBy);
    }

    /** Of a job of which all can be checked. */
    public ServerAdmission(List<List<String>> forbiddenBy) {
        this(forbiddenBy, "");
    }

    /** Admits every one of {@code servers} servers. */
    public static ServerAdmission everywhere(int servers) {
        return new ServerAdmission(java.util.Collections.nCopies(servers, List.of()));
    }

    /** Whether a server may be used. */
    public boolean admits(int server) {
        return forbiddenBy.get(server).isEmpty();
    }
}
