package crashback.runtime;

import java.util.Collection;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * System properties that know whether they may have been changed: by a method that does so, or
 * through a view of them.
 */
final class WatchedProperties extends Properties {
    private static final long serialVersionUID = 1;

    private final transient Object[] keys;
    private final transient Object[] values;
    /** Set by whichever thread; once the others have ended there is no doubt about it. */
    transient boolean dirty;

    /** Takes over what the other properties hold. */
    WatchedProperties(Properties original) {
        synchronized (original) {
            int count = original.size();
            keys = new Object[count];
            values = new Object[count];
            int i = 0;
            for (Map.Entry<Object, Object> entry : original.entrySet()) {
                keys[i] = entry.getKey();
                values[i] = entry.getValue();
                i++;
            }
        }
        fill();
    }

    /** Back to the beginning. */
    synchronized void restore() {
        if (dirty) {
            super.clear();
            fill();
            dirty = false;
        }
    }

    private void fill() {
        for (int i = 0; i < keys.length; i++) {
            super.put(keys[i], values[i]);
        }
    }

    @Override
    public synchronized Object setProperty(String key, String value) {
        dirty = true;
        return super.setProperty(key, value);
    }

    @Override
    public synchronized Object put(Object key, Object value) {
        dirty = true;
        return super.put(key, value);
    }

    @Override
    public synchronized void putAll(Map<? extends Object, ? extends Object> all) {
        dirty = true;
        super.putAll(all);
    }

    @Override
    public synchronized Object putIfAbsent(Object key, Object value) {
        dirty = true;
        return super.putIfAbsent(key, value);
    }

    @Override
    public synchronized Object remove(Object key) {
        dirty = true;
        return super.remove(key);
    }

    @Override
    public synchronized boolean remove(Object key, Object value) {
        dirty = true;
        return super.remove(key, value);
    }

    @Override
    public synchronized boolean replace(Object key, Object before, Object after) {
        dirty = true;
        return super.replace(key, before, after);
    }

    @Override
    public synchronized Object replace(Object key, Object value) {
        dirty = true;
        return super.replace(key, value);
    }

    @Override
    public synchronized void replaceAll(BiFunction<? super Object, ? super Object, ? extends Object> change) {
        dirty = true;
        super.replaceAll(change);
    }

    @Override
    public synchronized Object computeIfAbsent(Object key, Function<? super Object, ? extends Object> value) {
        dirty = true;
        return super.computeIfAbsent(key, value);
    }

    @Override
    public synchronized Object computeIfPresent(
            Object key, BiFunction<? super Object, ? super Object, ? extends Object> value) {
        dirty = true;
        return super.computeIfPresent(key, value);
    }

    @Override
    public synchronized Object compute(
            Object key, BiFunction<? super Object, ? super Object, ? extends Object> value) {
        dirty = true;
        return super.compute(key, value);
    }

    @Override
    public synchronized Object merge(
            Object key, Object value, BiFunction<? super Object, ? super Object, ? extends Object> change) {
        dirty = true;
        return super.merge(key, value, change);
    }

    @Override
    public synchronized void clear() {
        dirty = true;
        super.clear();
    }

    @Override
    public Set<Object> keySet() {
        dirty = true;
        return super.keySet();
    }

    @Override
    public Collection<Object> values() {
        dirty = true;
        return super.values();
    }

    @Override
    public Set<Map.Entry<Object, Object>> entrySet() {
        dirty = true;
        return super.entrySet();
    }
}
