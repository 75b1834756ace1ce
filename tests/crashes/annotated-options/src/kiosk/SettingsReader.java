package kiosk;

import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Finds the settings of a class by its annotated fields. */
public class SettingsReader {

    private final Map<String, Class<?>> kinds = new TreeMap<>();

    public SettingsReader(Object target) {
        for (Field field : target.getClass().getDeclaredFields()) {
            Setting setting = field.getAnnotation(Setting.class);
            if (setting != null) {
                kinds.put(setting.name(), kindOf(field));
            }
        }
    }

    public Class<?> kindOf(String name) {
        return kinds.get(name);
    }

    private static Class<?> kindOf(Field field) {
        if (!Collection.class.isAssignableFrom(field.getType())) {
            return field.getType();
        }
        ParameterizedType type = (ParameterizedType) field.getGenericType();
        return (Class<?>) type.getActualTypeArguments()[0];
    }
}
