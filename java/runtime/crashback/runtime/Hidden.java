package crashback.runtime;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.TimeZone;

/**
 * State of the JDK that no public method shows, or only at a price. The worker opens the fields
 * with {@link #trusted}; without it, and where a JDK has other fields, the public methods must do,
 * and thread-local variables stay.
 */
public final class Hidden {
    /** A lookup that may do everything, before this class is used otherwise. */
    public static MethodHandles.Lookup trusted;

    /**
     * The handles are constants of a class of their own: only then are they as quick as the fields
     * themselves.
     */
    private static final class Fields {
        static final MethodHandle LOCALS;
        static final MethodHandle SET_LOCALS;
        static final MethodHandle INHERITED;
        static final MethodHandle SET_INHERITED;
        static final MethodHandle ZONE;

        static {
            MethodHandle[] found = new MethodHandle[5];
            try {
                MethodHandles.Lookup lookup = trusted;
                Class<?> map = Class.forName("java.lang.ThreadLocal$ThreadLocalMap");
                MethodType read = MethodType.methodType(Object.class, Thread.class);
                MethodType write = MethodType.methodType(void.class, Thread.class, Object.class);
                String inherited = "inheritableThreadLocals";
                found[0] = lookup.findGetter(Thread.class, "threadLocals", map).asType(read);
                found[1] = lookup.findSetter(Thread.class, "threadLocals", map).asType(write);
                found[2] = lookup.findGetter(Thread.class, inherited, map).asType(read);
                found[3] = lookup.findSetter(Thread.class, inherited, map).asType(write);
                found[4] = lookup.findStaticGetter(TimeZone.class, "defaultTimeZone", TimeZone.class);
            } catch (ReflectiveOperationException e) {
                // What was found until then is used.
            }
            LOCALS = found[0];
            SET_LOCALS = found[1];
            INHERITED = found[2];
            SET_INHERITED = found[3];
            ZONE = found[4];
        }
    }

    /** The default zone that was last set, as the JDK keeps it. */
    private static TimeZone zone;

    private Hidden() {}

    /** Whether thread-local variables of a thread can be removed. */
    public static boolean clearsLocals() {
        return trusted != null && Fields.SET_LOCALS != null && Fields.SET_INHERITED != null;
    }

    /** Removes the thread-local variables of a thread and makes a time zone the default. */
    static void restore(Thread thread, TimeZone wanted) {
        if (trusted == null) {
            publicly(wanted);
            return;
        }
        try {
            if (Fields.SET_LOCALS != null && (Object) Fields.LOCALS.invokeExact(thread) != null) {
                Fields.SET_LOCALS.invokeExact(thread, (Object) null);
            }
            if (Fields.SET_INHERITED != null && (Object) Fields.INHERITED.invokeExact(thread) != null) {
                Fields.SET_INHERITED.invokeExact(thread, (Object) null);
            }
            if (Fields.ZONE == null) {
                publicly(wanted);
            } else if (zone == null || (TimeZone) Fields.ZONE.invokeExact() != zone) {
                publicly(wanted);
                zone = (TimeZone) Fields.ZONE.invokeExact();
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static void publicly(TimeZone wanted) {
        if (!wanted.equals(TimeZone.getDefault())) {
            TimeZone.setDefault(wanted);
        }
    }
}
