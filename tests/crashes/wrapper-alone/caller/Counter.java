package counter;

import tariffs.Tariff;

/** Logs exceptions without their causes. */
public class Counter {
    public static void main(String[] arguments) {
        try {
            System.out.println(new Tariff().price(7213, 9362));
        } catch (RuntimeException failure) {
            System.err.println(failure);
            for (StackTraceElement frame : failure.getStackTrace()) {
                System.err.println("\tat " + frame);
            }
        }
    }
}
