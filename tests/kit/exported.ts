import { downloadPath } from '@linewarden/contract'

/** What is in a file that somebody had prepared. */
export async function fileOf(url: string, prepared: Promise<{ readonly Ticket: string }>): Promise<Buffer> {
  const { Ticket } = await prepared
  return Buffer.from(await (await fetch(`${url}${downloadPath}${Ticket}`)).arrayBuffer())
}

/** The rows of a CSV file as a spreadsheet shows them, the heads first. */
export async function rowsOf(url: string, prepared: Promise<{ readonly Ticket: string }>): Promise<readonly string[][]> {
  const text = (await fileOf(url, prepared)).toString().replace('\uFEFF', '').trimEnd()
  return text
    .split('\r\n')
    .map((row) =>
      [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    )
}

/** One column of the rows below the heads. */
export const columnOf = ([heads = [], ...rows]: readonly string[][], head: string): readonly string[] =>
  rows.map((row) => row[heads.indexOf(head)] ?? '')
