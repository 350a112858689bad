let company = ''

/** Files are called after whose installation it is; empty: after nobody. */
export function nameFilesAfter(name: string): void {
  company = name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '').trim()
}

/** What a file handed to the person is called. */
export const fileName = (name: string): string => (company === '' ? name : `${company}-${name}`)
