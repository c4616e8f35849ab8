package dev.stowage.spark;

import dev.stowage.sim.remote.Assignment;
import dev.stowage.sim.remote.Machines;
import dev.stowage.sim.remote.MachinesException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import scala.Function2;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Tasks as partitions of an RDD, each answered as it ends. Spark's scheduler delivers an answer in its own thread and
 * is blocked meanwhile; so the answer is only put into the queue of the one thread that calls the listener.
 */
final class SparkSession implements Machines.Session {
    private static final String TAG = "stowage";

    private final SparkContext context;
    private final Assignment assignment;
    private final List<String> warnings;
    private final ExecutorService jobs = Executors.newSingleThreadExecutor(thread("stowage-spark-job"));
    private final ExecutorService answers = Executors.newSingleThreadExecutor(thread("stowage-spark-answers"));
    private final StallWatch watch;

    SparkSession(SparkContext context, Assignment assignment, List<String> warnings) {
        this.context = context;
        this.assignment = assignment;
        this.warnings = List.copyOf(warnings);
        watch = new StallWatch(context, assignment.patience());
        // With dynamic allocation, executors start only when there are tasks.
        if (!context.getConf().getBoolean("spark.dynamicAllocation.enabled", false)) {
            try {
                watch.awaitExecutor();
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }
    }

    private static ThreadFactory thread(String name) {
        return work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            thread.setContextClassLoader(SparkSession.class.getClassLoader());
            return thread;
        };
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public void start(List<String> tasks, Machines.Listener listener) {
        watch.begin(tasks.size(), why -> tell(() -> listener.failed(why)));
        jobs.execute(() -> run(tasks, listener));
    }

    private void run(List<String> tasks, Machines.Listener listener) {
        ClassTag<String> texts = ClassTag$.MODULE$.apply(String.class);
        ClassTag<byte[]> bytes = ClassTag$.MODULE$.apply(byte[].class);
        String[] programs = assignment.programs().stream()
                .map(jar -> String.valueOf(jar.getFileName()))
                .toArray(String[]::new);
        try {
            context.addJobTag(TAG);
            context.setInterruptOnCancel(true);
            RDD<String> rdd =
                    context.parallelize(CollectionConverters.asScala(tasks).toSeq(), tasks.size(), texts);
            Function2<TaskContext, Iterator<String>, byte[]> function =
                    new UnitTask(context.applicationId(), programs, assignment.worker(), assignment.setup());
            Function2<Object, byte[], BoxedUnit> handler = new AbstractFunction2<>() {
                @Override
                public BoxedUnit apply(Object partition, byte[] answer) {
                    String task = tasks.get((Integer) partition);
                    tell(() -> listener.done(task, answer));
                    return BoxedUnit.UNIT;
                }
            };
            List<Object> partitions =
                    IntStream.range(0, tasks.size()).<Object>mapToObj(i -> i).toList();
            context.runJob(
                    rdd, function, CollectionConverters.asScala(partitions).toSeq(), handler, bytes);
        } catch (Throwable e) {
            // Scala does not declare its exceptions.
            tell(() -> listener.failed(new MachinesException("Spark gave up: " + firstLine(e), e)));
        } finally {
            watch.end();
        }
    }

    /** Once this is closed nobody listens, and the jobs that it cancelled fail. */
    private void tell(Runnable answer) {
        try {
            answers.execute(answer);
        } catch (RejectedExecutionException e) {
            if (!answers.isShutdown()) {
                throw e;
            }
        }
    }

    /** The rest are the stack traces of all attempts, as text. */
    private static String firstLine(Throwable e) {
        String all = String.valueOf(e.getMessage());
        return all.lines().findFirst().orElse(all);
    }

    @Override
    public void close() {
        if (!context.isStopped()) {
            context.cancelJobsWithTag(TAG);
            context.stop();
        }
        watch.close();
        jobs.shutdownNow();
        answers.shutdownNow();
    }
}
