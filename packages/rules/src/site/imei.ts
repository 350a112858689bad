/** Whether these are 15 digits of which the last is the right check digit (Luhn): a mistyped or swapped digit shows. */
export function isImei(text: string): boolean {
  if (!/^[0-9]{15}$/.test(text)) return false
  const sum = [...text].reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}
