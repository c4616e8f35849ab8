package dev.stowage.spark;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/**
 * The function that an executor applies to a partition, which is one task. It is sent to each executor once, with
 * everything that its worker needs.
 */
final class UnitTask extends AbstractFunction2<TaskContext, Iterator<String>, byte[]> implements Serializable {
    private static final long serialVersionUID = 1;

    private final ExecutorWorker.Recipe recipe;

    /**
     * With a worker.
     *
     * @param id of the application
     * @param programs names of the jars sent to executors
     * @param worker class in them
     * @param setup for it
     */
    UnitTask(String id, String[] programs, String worker, Map<String, String> setup) {
        recipe = new ExecutorWorker.Recipe(id, programs, worker, new HashMap<>(setup));
    }

    @Override
    public byte[] apply(TaskContext context, Iterator<String> tasks) {
        return ExecutorWorker.of(recipe).apply(tasks.next());
    }
}
