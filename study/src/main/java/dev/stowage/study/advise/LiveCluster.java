package dev.stowage.study.advise;

/** A cluster that runs while a plan is carried out on it. Each call takes effect at once, or throws. */
public interface LiveCluster {
    /** The cluster as it is now. Names of servers and jobs are unique; a job that was moved may have another name. */
    ClusterState look();

    /**
     * A server takes no new job from now on.
     *
     * @return false if somebody else has closed it, so that it is not for the run to open it
     */
    boolean close(String server);

    /** A server that was closed takes jobs again. */
    void open(String server);
}
