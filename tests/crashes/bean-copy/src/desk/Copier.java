package desk;

import java.lang.reflect.Method;

/** Copies what beans of users hold, property by property. */
public class Copier {

    public Object copy(Object bean) throws ReflectiveOperationException {
        Class<?> type = bean.getClass();
        if (type.getName().startsWith("java.") || type.isArray()) {
            return bean;
        }
        Object copy = type.getConstructor().newInstance();
        for (Method getter : type.getMethods()) {
            if (getter.getName().startsWith("get") && getter.getDeclaringClass() != Object.class) {
                setterOf(type, getter.getName().substring(3)).invoke(copy, getter.invoke(bean));
            }
        }
        return copy;
    }

    private static Method setterOf(Class<?> type, String property) {
        for (Method method : type.getMethods()) {
            if (method.getName().equals("set" + property) && method.getParameterCount() == 1) {
                return method;
            }
        }
        return null;
    }
}
