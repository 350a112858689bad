import { addGateways, maxGateways } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../../app/net/api.ts'
import type { Checked, Placed } from './columns.ts'
import { problemsOf, readColumns, toSend } from './columns.ts'
import type { Secrets } from './saved-sheets.ts'
import { saveFailedRows, saveSecrets, saveTemplate } from './saved-sheets.ts'
import { readWorkbook } from './workbook.ts'

export type Import = ReturnType<typeof useImport>

/** An import from its file to the secrets: each step answers in what it holds, and what goes wrong is its `problem`. */
export function useImport(houseId: number | null) {
  const { t } = useTranslation('importing')
  const [house, setHouse] = useState(houseId === null ? '' : String(houseId))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const [secrets, setSecrets] = useState<Secrets | null>(null)
  const [kept, setKept] = useState(false)
  const good = checked?.rows.filter((_, index) => !checked.problems.has(index)) ?? []
  /** One thing at a time; what goes wrong is said. */
  const run = async (act: () => Promise<string | null>) => {
    setBusy(true)
    setProblem(null)
    setProblem(await act().catch(messageOf))
    setBusy(false)
  }
  const check = async (rows: readonly Placed[]) => {
    const { Problems } = await api.call(addGateways, { body: { HouseID: Number(house), DryRun: true, Rows: rows.map(toSend) } })
    setChecked({ rows, problems: problemsOf(rows, Problems) })
  }
  return {
    house,
    busy,
    problem,
    checked,
    secrets,
    /** Whether the secrets were saved to a file. */
    kept,
    /** The rows that can be imported. */
    good,
    chooseHouse(to: string) {
      setHouse(to)
      setChecked(null)
    },
    readFile: (file: File) =>
      run(async () => {
        setChecked(null)
        if (house === '') return t('projectEmpty')
        const sheet = await readWorkbook(file, maxGateways)
        if (typeof sheet === 'string') return t(sheet, { most: maxGateways })
        const rows = readColumns(sheet)
        if (rows === null) return t('notTheTemplate')
        if (rows.length === 0) return t('noRows')
        await check(rows)
        return null
      }),
    add: () =>
      run(async () => {
        const body = { HouseID: Number(house), DryRun: false, Rows: good.map(toSend) }
        const reply = await api.call(addGateways, { body })
        if (reply.Added === 0 && checked) {
          await check(checked.rows)
          return t('changed')
        }
        setSecrets(reply.Gateways)
        return null
      }),
    saveTemplate: () => run(() => saveTemplate(t)),
    saveFailedRows: () => run(async () => checked && saveFailedRows(t, checked)),
    saveSecrets: () =>
      run(async () => {
        const failed = await saveSecrets(t, secrets ?? [])
        setKept(failed === null)
        return failed
      }),
  }
}
