/** A cell of a table for a spreadsheet (RFC 4180). A tool's name is a stranger's word, and a spreadsheet runs what begins like a formula. */
export const csvCell = (value: string | number | undefined): string => {
  if (value === undefined) return ''
  const text = typeof value === 'number' ? String(value) : value
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
