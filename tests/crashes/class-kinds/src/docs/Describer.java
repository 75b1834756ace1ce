package docs;

/** Says in words what classes are. */
public class Describer {
    private static final String[] SIZES = {"byte", "short", "int", "long"};

    /** The bug: not every primitive type is a whole number. */
    public String elements(Class<?> type) {
        if (type.isArray() && type.getComponentType().isPrimitive()) {
            return SIZES[sizeOf(type.getComponentType())] + "s";
        }
        return type.isInterface() ? "capabilities" : "objects";
    }

    private static int sizeOf(Class<?> type) {
        for (int size = 0; size < SIZES.length; size++) {
            if (SIZES[size].equals(type.getName())) {
                return size;
            }
        }
        return SIZES.length;
    }
}
