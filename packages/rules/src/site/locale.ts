/** Whether this is an IANA time zone such as Asia/Shanghai; a bare offset such as +08:00 knows no summer time and is none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]+(\/[A-Za-z0-9_+-]+)*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Whether this is a currency code of ISO 4217. */
export const isCurrency = (code: string): boolean => currencies.has(code)
