/** Whole, and within; what is no figure is neither. */
export const isWithin = (text: string, from: number, to: number): boolean =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) >= from && Number(text) <= to
