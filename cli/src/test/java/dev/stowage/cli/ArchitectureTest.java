package dev.stowage.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The arrows between the modules, and what a policy may see. This is the one module where every class is visible. */
final class ArchitectureTest {
    private static final String ROOT = "dev.stowage.";

    private static final JavaClasses STOWAGE = OurClasses.all();

    @Test
    void coreNeedsOnlyTheJdk() {
        classes()
                .that()
                .resideInAPackage(ROOT + "core..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(ROOT + "core..", "java..", "org.jspecify.annotations")
                .check(STOWAGE);
    }

    @Test
    void theModelKnowsNothingOfTheEngineOrThePolicies() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "core.model..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + "core.engine..", ROOT + "core.policy..")
                .check(STOWAGE);
    }

    @Test
    void aPolicySeesViewAndActionsAndNothingElseOfTheEngine() {
        classes()
                .that()
                .resideInAPackage(ROOT + "policies..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(ROOT + "policies..", ROOT + "optimize..", ROOT + "core..", "java..")
                                .or(resideInAPackage("org.jspecify.annotations"))
                                .and(not(resideInAPackage(ROOT + "core.engine.."))))
                .check(STOWAGE);
    }

    @Test
    void theSimulatorIsHandedItsPolicies() {
        onlyModules("sim", "sim", "core");
    }

    /** Spark's side loads classes of its own: of Stowage's it finds those of this package only. */
    @Test
    void whatBothSidesOfSparkKnowNeedsNothingElse() {
        classes()
                .that()
                .resideInAPackage(ROOT + "sim.remote..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(ROOT + "sim.remote..", "java..", "org.jspecify.annotations"))
                .check(STOWAGE);
    }

    @Test
    void optimizationNeedsNoOtherModule() {
        onlyModules("optimize", "optimize");
    }

    @Test
    void theReportReadsResultsOnly() {
        onlyModules("report", "report", "sim", "core");
    }

    @Test
    void studyWorksOutAndPrintsNothing() {
        onlyModules("study", "study", "report", "sim", "policies", "optimize", "core");
        noClasses()
                .that()
                .resideInAPackage(ROOT + "study..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("picocli..")
                .check(STOWAGE);
    }

    @Test
    void theServiceNeedsEngineAndPolicies() {
        onlyModules("service", "service", "policies", "core");
    }

    @Test
    void kubernetesNeedsTheEngine() {
        onlyModules("kube", "kube", "core");
        noClasses()
                .that()
                .resideInAnyPackage(ROOT + "kube.translate..", ROOT + "kube.preempt..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + "core.engine..", "java.net..", "java.util.concurrent..")
                .check(STOWAGE);
    }

    @Test
    void openStackNeedsTheEngine() {
        onlyModules("openstack", "openstack", "core");
        noClasses()
                .that()
                .resideInAPackage(ROOT + "openstack.translate..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(ROOT + "core.engine..", "java.net..", "java.util.concurrent..", "com.fasterxml..")
                .check(STOWAGE);
    }

    @Test
    void whatIsReplicatedKnowsNothingOfTheNetwork() {
        noClasses()
                .that()
                .resideInAPackage(ROOT + "service.state..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.ratis..", "com.linecorp..", "java.net..", "java.util.concurrent..")
                .check(STOWAGE);
    }

    @Test
    void theTestkitNeedsOnlyTheCore() {
        onlyModules("testkit", "testkit", "core");
    }

    @Test
    void nothingShippedUsesTheTestkit() {
        noClasses()
                .that()
                .resideOutsideOfPackage(ROOT + "testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(ROOT + "testkit..")
                .check(STOWAGE);
    }

    @Test
    void packagesFormNoCycle() {
        slices().matching(ROOT + "(**)").should().beFreeOfCycles().check(STOWAGE);
    }

    private static void onlyModules(String module, String... allowed) {
        String[] packages = new String[allowed.length];
        for (int i = 0; i < allowed.length; i++) {
            packages[i] = ROOT + allowed[i] + "..";
        }
        noClasses()
                .that()
                .resideInAPackage(ROOT + module + "..")
                .should()
                .dependOnClassesThat(resideInAPackage("dev.stowage..").and(not(resideInAnyPackage(packages))))
                .check(STOWAGE);
    }
}
