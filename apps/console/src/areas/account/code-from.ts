/** What somebody typed, as a code of the app or a recovery code is written; null when it can be neither. */
export function codeFrom(typed: string): string | null {
  const plain = typed.replace(/[\s-]/g, '').toUpperCase()
  if (/^[0-9]{6}$/.test(plain)) return plain
  return /^([A-Z2-7]{12}|[A-Z2-7]{24})$/.test(plain) ? (plain.match(/.{4}/g) ?? []).join('-') : null
}
