import type { Statement } from '@linewarden/contract'
import type { DownloadFile } from '../../http/downloads.ts'
import type { MailConfig } from '../../lib/mail-setting.ts'
import type { PlantProject } from '../../plant/plant.ts'
import type { StatementPrint } from './statement-pdf.ts'
import { statementPdf } from './statement-pdf.ts'

export interface PrintDeps {
  readonly config: { readonly mail: Pick<MailConfig, 'publicUrl'> | null }
}

/** Where a statement is verified: at the address of the settings and nowhere else; null: none is set. */
export const addressIn =
  ({ config: { mail } }: PrintDeps, { id }: PlantProject): StatementPrint['addressOf'] =>
  ({ StatementID }) => {
    if (!mail) return null
    const query = new URLSearchParams({ at: `house:${id}`, statement: String(StatementID), verify: '1' })
    return `${mail.publicUrl}/system/report/powerReport?${query}`
  }

/** Statements as one document. */
export const pdfFile = (name: string, statements: readonly Statement[], print: StatementPrint): DownloadFile => ({
  fileName: `${name.replace(/[\\/:*?"<>|]/g, ' ')}.pdf`,
  type: 'application/pdf',
  async *bytes(onProgress) {
    yield await statementPdf(statements, print)
    onProgress({ rows: statements.length, share: 1 })
  },
})
