package odd;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

@Retention(RetentionPolicy.RUNTIME)
@interface Everything {
    boolean flag() default true;
    byte tiny() default 1;
    char letter() default 'x';
    short small() default -3;
    int number() default 1 << 20;
    long big() default 1L << 40;
    float single() default 1.5f;
    double real() default Double.NaN;
    String text() default "t\u0000\u00e9\ud83d\ude00";
    Class<?> type() default int[][].class;
    RetentionPolicy policy() default RetentionPolicy.CLASS;
    Nested nested() default @Nested({"a", "b"});
    Nested[] many() default {};
}

@interface Nested {
    String[] value();
}

@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
@interface Typed {
}

@Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
@interface TypedInvisibly {
}

@Retention(RetentionPolicy.RUNTIME)
@interface Seen {
}

enum Color {
    RED, GREEN { int weight() { return 2; } }, BLUE;

    int weight() { return 1; }
}

/** Generic in every position that a signature or a type annotation can name. */
@Everything(text = "", many = {@Nested({}), @Nested("z")})
@Deprecated
class Features<@Typed T extends @TypedInvisibly Object & @Typed Comparable<? super T>, E extends Exception>
        extends @Typed ArrayList<Map.Entry<T, ? extends @Typed List<?>[]>> implements Callable<T> {
    static final int INT = 123456789;
    static final long LONG = Long.MIN_VALUE;
    static final float FLOAT = -0.0f;
    static final double DOUBLE = Math.PI;
    static final String TEXT = "nul \u0000, e acute \u00e9, euro \u20ac, pair \ud83d\ude00, lone \ud800 and \udc00";
    @Seen @Nested("f") volatile transient Map<String, @Typed int @TypedInvisibly []> field;
    private int secret;

    Features(@Seen @Nested("p") final int capacity, @Nested("q") String unused) { super(capacity); }

    @Deprecated
    public T call() throws E { return null; }

    @SafeVarargs
    static <A, X extends IOException> List<A> listOf(int n, long l, double d, A... items) throws X, IOException {
        List<@Typed A> result = new @Typed ArrayList<@Typed A>();
        for (A item : items) result.add((@Typed A) item);
        boolean known = result instanceof @Typed ArrayList;
        return known ? result : null;
    }

    class Inner<U> {
        class Deep<V> { Features<T, E>.Inner<U>.Deep<V> self() { secret++; return this; } }
        Deep<String> deep;
    }

    static int strings(String key) {
        switch (key) {
            case "Aa": return 1;
            case "BB": return 2;
            case "other": return 3;
            default: return 4;
        }
    }

    static int dense(int key) {
        switch (key) { case -1: return 9; case 0: return 8; case 1: return 7; case 3: return 6; default: return 0; }
    }

    static int sparse(int key) {
        switch (key) { case Integer.MIN_VALUE: return 1; case 7: return 2; case Integer.MAX_VALUE: return 3; }
        return 0;
    }

    static int colors(Color color) {
        switch (color) { case RED: return 1; case BLUE: return 2; default: return color.weight(); }
    }

    static long arithmetic(int i, long l, float f, double d, byte b, char c, short s, boolean z) {
        long sum = i + l - (long) f * (int) d / 3 % 5 ^ ~l | i << 2 & l >>> 3 >> 1;
        f = -f * i % 2 + (float) d; d = -d / f - (double) l; i = -i * (byte) l + (char) i - (short) c;
        sum += f > d ? 1 : f < 2 ? 2 : d >= 3 ? 4 : l <= 5 ? 6 : i == s ? 7 : z ? 8 : b;
        int[] ints = {i}; long[] longs = {l}; float[] floats = {f}; double[] doubles = {d};
        byte[] bytes = {b}; char[] chars = {c}; short[] shorts = {s}; boolean[] booleans = {z};
        ints[0]++; longs[0] += 2; floats[0]--; doubles[0] *= 2; bytes[0] ^= 1; chars[0]++; shorts[0]--; booleans[0] |= z;
        Object[][][] cube = new Object[i][2][]; cube[0][1] = new Object[] {"x", 1, null};
        for (long k = 0; k < sum; k++) { if (k == 3) continue; if (k > 70000) break; i += 1000; i -= 40000; }
        return sum + ints.length + INT + LONG + (long) FLOAT + (long) DOUBLE + TEXT.length();
    }

    int guarded(Object lock) throws Exception {
        synchronized (lock) {
            try (java.io.StringReader reader = new java.io.StringReader("a" + lock + 'c' + 1L + 2.0)) {
                return reader.read();
            } catch (IOException | IllegalStateException e) {
                throw new Exception(e);
            } finally {
                secret--;
            }
        }
    }

    Runnable lambda(int captured) {
        Runnable local = () -> System.out.println(captured + secret);
        Callable<String> reference = this::toString;
        java.util.function.Function<Integer, int[]> array = int[]::new;
        class Local { int twice() { return captured * 2; } }
        return new Runnable() {
            public void run() { local.run(); new Local().twice(); reference.toString(); array.apply(1); }
        };
    }

    interface WithBodies { default int body() { return 1; } static int fixed() { return 2; } int none(); }

}
