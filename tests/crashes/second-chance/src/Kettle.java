package brewery;

import java.util.ArrayList;
import java.util.List;

/** A kettle with its many small tasks. */
public class Kettle {
    private final List<String> done = new ArrayList<>();
    private boolean running;

    public void rinseTank(int times) {
        note("rinse tank " + times);
    }

    public void drainTank(int times) {
        note("drain tank " + times);
    }

    public void purgeTank(int times) {
        note("purge tank " + times);
    }

    public void ventTank(int times) {
        note("vent tank " + times);
    }

    public void heatTank(int times) {
        note("heat tank " + times);
    }

    public void coolTank(int times) {
        note("cool tank " + times);
    }

    public void flushTank(int times) {
        note("flush tank " + times);
    }

    public void probeTank(int times) {
        note("probe tank " + times);
    }

    public void tiltTank(int times) {
        note("tilt tank " + times);
    }

    public void spinTank(int times) {
        note("spin tank " + times);
    }

    public void mixTank(int times) {
        note("mix tank " + times);
    }

    public void skimTank(int times) {
        note("skim tank " + times);
    }

    public void strainTank(int times) {
        note("strain tank " + times);
    }

    public void saltTank(int times) {
        note("salt tank " + times);
    }

    public void doseTank(int times) {
        note("dose tank " + times);
    }

    public void weighTank(int times) {
        note("weigh tank " + times);
    }

    public void markTank(int times) {
        note("mark tank " + times);
    }

    public void sealTank(int times) {
        note("seal tank " + times);
    }

    public void tapTank(int times) {
        note("tap tank " + times);
    }

    public void shakeTank(int times) {
        note("shake tank " + times);
    }

    public void rinseValve(int times) {
        note("rinse valve " + times);
    }

    public void drainValve(int times) {
        note("drain valve " + times);
    }

    public void purgeValve(int times) {
        note("purge valve " + times);
    }

    public void ventValve(int times) {
        note("vent valve " + times);
    }

    public void heatValve(int times) {
        note("heat valve " + times);
    }

    public void coolValve(int times) {
        note("cool valve " + times);
    }

    public void flushValve(int times) {
        note("flush valve " + times);
    }

    public void probeValve(int times) {
        note("probe valve " + times);
    }

    public void tiltValve(int times) {
        note("tilt valve " + times);
    }

    public void spinValve(int times) {
        note("spin valve " + times);
    }

    public void mixValve(int times) {
        note("mix valve " + times);
    }

    public void skimValve(int times) {
        note("skim valve " + times);
    }

    public void strainValve(int times) {
        note("strain valve " + times);
    }

    public void saltValve(int times) {
        note("salt valve " + times);
    }

    public void doseValve(int times) {
        note("dose valve " + times);
    }

    public void weighValve(int times) {
        note("weigh valve " + times);
    }

    public void markValve(int times) {
        note("mark valve " + times);
    }

    public void sealValve(int times) {
        note("seal valve " + times);
    }

    public void tapValve(int times) {
        note("tap valve " + times);
    }

    public void shakeValve(int times) {
        note("shake valve " + times);
    }

    public void rinseFilter(int times) {
        note("rinse filter " + times);
    }

    public void drainFilter(int times) {
        note("drain filter " + times);
    }

    public void purgeFilter(int times) {
        note("purge filter " + times);
    }

    public void ventFilter(int times) {
        note("vent filter " + times);
    }

    public void heatFilter(int times) {
        note("heat filter " + times);
    }

    public void coolFilter(int times) {
        note("cool filter " + times);
    }

    public void flushFilter(int times) {
        note("flush filter " + times);
    }

    public void probeFilter(int times) {
        note("probe filter " + times);
    }

    public void tiltFilter(int times) {
        note("tilt filter " + times);
    }

    public void spinFilter(int times) {
        note("spin filter " + times);
    }

    public void mixFilter(int times) {
        note("mix filter " + times);
    }

    public void skimFilter(int times) {
        note("skim filter " + times);
    }

    public void strainFilter(int times) {
        note("strain filter " + times);
    }

    public void saltFilter(int times) {
        note("salt filter " + times);
    }

    public void doseFilter(int times) {
        note("dose filter " + times);
    }

    public void weighFilter(int times) {
        note("weigh filter " + times);
    }

    public void markFilter(int times) {
        note("mark filter " + times);
    }

    public void sealFilter(int times) {
        note("seal filter " + times);
    }

    public void tapFilter(int times) {
        note("tap filter " + times);
    }

    public void shakeFilter(int times) {
        note("shake filter " + times);
    }

    public void rinseGauge(int times) {
        note("rinse gauge " + times);
    }

    public void drainGauge(int times) {
        note("drain gauge " + times);
    }

    public void purgeGauge(int times) {
        note("purge gauge " + times);
    }

    public void ventGauge(int times) {
        note("vent gauge " + times);
    }

    public void heatGauge(int times) {
        note("heat gauge " + times);
    }

    public void coolGauge(int times) {
        note("cool gauge " + times);
    }

    public void flushGauge(int times) {
        note("flush gauge " + times);
    }

    public void probeGauge(int times) {
        note("probe gauge " + times);
    }

    public void tiltGauge(int times) {
        note("tilt gauge " + times);
    }

    public void spinGauge(int times) {
        note("spin gauge " + times);
    }

    public void mixGauge(int times) {
        note("mix gauge " + times);
    }

    public void skimGauge(int times) {
        note("skim gauge " + times);
    }

    public void strainGauge(int times) {
        note("strain gauge " + times);
    }

    public void saltGauge(int times) {
        note("salt gauge " + times);
    }

    public void doseGauge(int times) {
        note("dose gauge " + times);
    }

    public void weighGauge(int times) {
        note("weigh gauge " + times);
    }

    public void markGauge(int times) {
        note("mark gauge " + times);
    }

    public void sealGauge(int times) {
        note("seal gauge " + times);
    }

    public void tapGauge(int times) {
        note("tap gauge " + times);
    }

    public void shakeGauge(int times) {
        note("shake gauge " + times);
    }

    public void rinseHose(int times) {
        note("rinse hose " + times);
    }

    public void drainHose(int times) {
        note("drain hose " + times);
    }

    public void purgeHose(int times) {
        note("purge hose " + times);
    }

    public void ventHose(int times) {
        note("vent hose " + times);
    }

    public void heatHose(int times) {
        note("heat hose " + times);
    }

    public void coolHose(int times) {
        note("cool hose " + times);
    }

    public void flushHose(int times) {
        note("flush hose " + times);
    }

    public void probeHose(int times) {
        note("probe hose " + times);
    }

    public void tiltHose(int times) {
        note("tilt hose " + times);
    }

    public void spinHose(int times) {
        note("spin hose " + times);
    }

    public void mixHose(int times) {
        note("mix hose " + times);
    }

    public void skimHose(int times) {
        note("skim hose " + times);
    }

    public void strainHose(int times) {
        note("strain hose " + times);
    }

    public void saltHose(int times) {
        note("salt hose " + times);
    }

    public void doseHose(int times) {
        note("dose hose " + times);
    }

    public void weighHose(int times) {
        note("weigh hose " + times);
    }

    public void markHose(int times) {
        note("mark hose " + times);
    }

    public void sealHose(int times) {
        note("seal hose " + times);
    }

    public void tapHose(int times) {
        note("tap hose " + times);
    }

    public void shakeHose(int times) {
        note("shake hose " + times);
    }

    public void rinsePump(int times) {
        note("rinse pump " + times);
    }

    public void drainPump(int times) {
        note("drain pump " + times);
    }

    public void purgePump(int times) {
        note("purge pump " + times);
    }

    public void ventPump(int times) {
        note("vent pump " + times);
    }

    public void heatPump(int times) {
        note("heat pump " + times);
    }

    public void coolPump(int times) {
        note("cool pump " + times);
    }

    public void flushPump(int times) {
        note("flush pump " + times);
    }

    public void probePump(int times) {
        note("probe pump " + times);
    }

    public void tiltPump(int times) {
        note("tilt pump " + times);
    }

    public void spinPump(int times) {
        note("spin pump " + times);
    }

    public void mixPump(int times) {
        note("mix pump " + times);
    }

    public void skimPump(int times) {
        note("skim pump " + times);
    }

    public void strainPump(int times) {
        note("strain pump " + times);
    }

    public void saltPump(int times) {
        note("salt pump " + times);
    }

    public void dosePump(int times) {
        note("dose pump " + times);
    }

    public void weighPump(int times) {
        note("weigh pump " + times);
    }

    public void markPump(int times) {
        note("mark pump " + times);
    }

    public void sealPump(int times) {
        note("seal pump " + times);
    }

    public void tapPump(int times) {
        note("tap pump " + times);
    }

    public void shakePump(int times) {
        note("shake pump " + times);
    }

    public void rinseLid(int times) {
        note("rinse lid " + times);
    }

    public void drainLid(int times) {
        note("drain lid " + times);
    }

    public void purgeLid(int times) {
        note("purge lid " + times);
    }

    public void ventLid(int times) {
        note("vent lid " + times);
    }

    public void heatLid(int times) {
        note("heat lid " + times);
    }

    public void coolLid(int times) {
        note("cool lid " + times);
    }

    public void flushLid(int times) {
        note("flush lid " + times);
    }

    public void probeLid(int times) {
        note("probe lid " + times);
    }

    public void tiltLid(int times) {
        note("tilt lid " + times);
    }

    public void spinLid(int times) {
        note("spin lid " + times);
    }

    public void mixLid(int times) {
        note("mix lid " + times);
    }

    public void skimLid(int times) {
        note("skim lid " + times);
    }

    public void strainLid(int times) {
        note("strain lid " + times);
    }

    public void saltLid(int times) {
        note("salt lid " + times);
    }

    public void doseLid(int times) {
        note("dose lid " + times);
    }

    public void weighLid(int times) {
        note("weigh lid " + times);
    }

    public void markLid(int times) {
        note("mark lid " + times);
    }

    public void sealLid(int times) {
        note("seal lid " + times);
    }

    public void tapLid(int times) {
        note("tap lid " + times);
    }

    public void shakeLid(int times) {
        note("shake lid " + times);
    }

    public void prime(int litres) {
        note("prime");
    }

    /** Runs on only what was primed. */
    public void start() {
        if (!done.contains("prime")) {
            throw new IllegalStateException("Prime it first");
        }
        running = true;
    }

    /** The bug: nothing may be left to pour. */
    public int pour(int glasses) {
        if (!running) {
            return 0;
        }
        return share(done.size() * 100, glasses);
    }

    private static int share(int whole, int parts) {
        return whole / parts;
    }

    private void note(String task) {
        done.add(task);
    }
}
