import type { TFunction } from 'i18next'
import { localised } from '../../../ui/i18n.ts'
import type { Checked } from './columns.ts'
import { columns, headOf } from './columns.ts'
import { saveWorkbook } from './workbook.ts'

export type Secrets = readonly { readonly Number: string; readonly Secret: string }[]

type T = TFunction<'importing'>

const heads = (t: T) => columns.map((column) => t(`heads.${column}`))

/** The file to fill in. This and the others answer null when the file is saved, or what to tell the person. */
export const saveTemplate = (t: T) => save(t, t('templateFile'), [heads(t)])

/** The rows that cannot be imported, each with why. */
export function saveFailedRows(t: T, { rows, problems }: Checked): Promise<string | null> {
  const failed = rows.flatMap(({ row }, index) => {
    const wrong = problems.get(index)
    if (!wrong) return []
    const why = wrong.map(({ Column, Text }) => `${headOf(t, Column)}: ${localised(Text)}`).join('; ')
    return [[...columns.map((column) => row[column]), why]]
  })
  return save(t, t('failedFile'), [[...heads(t), t('problem')], ...failed])
}

/** The secrets of the gateways that were added: nobody can read them again. */
export const saveSecrets = (t: T, secrets: Secrets) =>
  save(t, t('secretsFile'), [[t('heads.Number'), t('secret')], ...secrets.map(({ Number: number, Secret }) => [number, Secret])])

const save = async (t: T, name: string, lines: readonly (readonly string[])[]): Promise<string | null> =>
  (await saveWorkbook(`${name}.xlsx`, t('sheet'), lines)) ? null : t('unreadable')
