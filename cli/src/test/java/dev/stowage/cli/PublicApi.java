package dev.stowage.cli;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The members of a class that a caller or a subclass outside the package can use, a line for each. */
final class PublicApi {
    private PublicApi() {}

    /** Empty if the class is not visible. */
    static SortedSet<String> of(Class<?> type) {
        TreeSet<String> lines = new TreeSet<>();
        for (Class<?> outer = type; outer != null; outer = outer.getEnclosingClass()) {
            if (!seen(outer.getModifiers()) || outer.isAnonymousClass() || outer.isLocalClass()) {
                return lines;
            }
        }
        String name = type.getCanonicalName();
        lines.add(header(type, name));
        for (Field field : type.getDeclaredFields()) {
            if (seen(field.getModifiers()) && !field.isSynthetic()) {
                lines.add(name + "." + field.getName() + modifiers(field.getModifiers()) + " "
                        + text(field.getGenericType()) + constant(field));
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (seen(constructor.getModifiers()) && !constructor.isSynthetic()) {
                lines.add(name + ".new" + parameters(constructor) + variables(constructor.getTypeParameters())
                        + modifiers(constructor.getModifiers()) + thrown(constructor));
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (seen(method.getModifiers()) && !method.isSynthetic() && !method.isBridge()) {
                lines.add(name + "." + method.getName() + parameters(method) + variables(method.getTypeParameters())
                        + modifiers(method.getModifiers()) + (method.isDefault() ? " default" : "") + " "
                        + text(method.getGenericReturnType()) + thrown(method));
            }
        }
        return lines;
    }

    private static String header(Class<?> type, String name) {
        String kind = type.isAnnotation()
                ? "annotation"
                : type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
        StringBuilder line = new StringBuilder();
        if (kind.equals("class") || type.isSealed()) {
            line.append(type.isSealed() ? "sealed " : "");
            line.append(!type.isInterface() && Modifier.isAbstract(type.getModifiers()) ? "abstract " : "");
            line.append(Modifier.isFinal(type.getModifiers()) ? "final " : "");
        }
        line.append(kind).append(' ').append(name).append(variables(type.getTypeParameters()));
        if (kind.equals("class") && type.getGenericSuperclass() != Object.class) {
            line.append(" extends ").append(text(type.getGenericSuperclass()));
        }
        if (type.getGenericInterfaces().length > 0) {
            line.append(" implements ")
                    .append(Arrays.stream(type.getGenericInterfaces())
                            .map(PublicApi::text)
                            .collect(Collectors.joining(", ")));
        }
        return line.toString();
    }

    private static boolean seen(int modifiers) {
        return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }

    private static String modifiers(int modifiers) {
        List<String> words = new ArrayList<>();
        if (Modifier.isAbstract(modifiers)) {
            words.add("abstract");
        }
        if (Modifier.isProtected(modifiers)) {
            words.add("protected");
        }
        if (Modifier.isStatic(modifiers)) {
            words.add("static");
        }
        if (Modifier.isFinal(modifiers)) {
            words.add("final");
        }
        return words.stream().map(word -> " " + word).collect(Collectors.joining());
    }

    private static String parameters(Executable executable) {
        Type[] types = executable.getGenericParameterTypes();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < types.length; i++) {
            String text = text(types[i]);
            texts.add(executable.isVarArgs() && i == types.length - 1 ? text.replaceAll("\\[]$", "...") : text);
        }
        return "(" + String.join(", ", texts) + ")";
    }

    private static String thrown(Executable executable) {
        Type[] types = executable.getGenericExceptionTypes();
        return types.length == 0
                ? ""
                : " throws " + Arrays.stream(types).map(PublicApi::text).collect(Collectors.joining(", "));
    }

    private static String variables(TypeVariable<?>[] variables) {
        if (variables.length == 0) {
            return "";
        }
        return Arrays.stream(variables)
                .map(variable -> variable.getName()
                        + (variable.getBounds()[0] == Object.class
                                ? ""
                                : " extends "
                                        + Arrays.stream(variable.getBounds())
                                                .map(bound -> text(bound).replace("java.lang.", ""))
                                                .collect(Collectors.joining(" & "))))
                .collect(Collectors.joining(", ", "<", ">"));
    }

    private static String text(Type type) {
        return type.getTypeName().replace('$', '.');
    }

    /** Constants are compiled into the caller. */
    private static String constant(Field field) {
        if (!Modifier.isStatic(field.getModifiers())
                || !Modifier.isFinal(field.getModifiers())
                || !(field.getType().isPrimitive() || field.getType() == String.class)) {
            return "";
        }
        try {
            Object value = field.get(null);
            return " = " + (value instanceof String text ? "\"" + text + "\"" : value);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
