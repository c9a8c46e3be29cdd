/**
 * PostgreSQL refuses NUL in text, and a lone surrogate is no Unicode: both become U+FFFD. Nothing
 * else is touched.
 */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\uFFFD");
}
