package docs;

import java.lang.reflect.Method;

/** Says in words what methods take. */
public class Signatures {
    /** The bug: a method with a body in an interface need not take anything. */
    public String first(Method method) {
        if (method.isDefault()) {
            return method.getParameterTypes()[0].getName();
        }
        return "";
    }
}
