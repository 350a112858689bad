import type { Project, Reply, Request } from '@linewarden/contract'
import { importPrices, maxPriceText } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../app/net/api.ts'
import { change } from '../../app/net/change.ts'
import { readWorkbook, saveWorkbook } from '../site/import/workbook.ts'
import { textOfSheet } from './price-file.ts'

type Body = Request<typeof importPrices>['body']
export type CheckedPrices = Reply<typeof importPrices>
export interface PriceChoices {
  readonly per: NonNullable<Body['Per']>
  /** Null: whatever the document has. */
  readonly minutes: NonNullable<Body['Minutes']> | null
}

/** Rows of a spreadsheet at most: a year of quarters, and a little more. */
const maxRows = 40_000

/** Prices from a file to what is stored: first what would change is shown. */
export function usePriceImport(house: Project, tariffId: number, currency: string) {
  const { t } = useTranslation('energyPrices')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [text, setText] = useState<string | null>(null)
  const [checked, setChecked] = useState<CheckedPrices | null>(null)
  const [choices, setChoices] = useState<PriceChoices>({ per: 'kWh', minutes: null })
  const [source, setSource] = useState('')
  const run = async (act: () => Promise<string | null>) => {
    setBusy(true)
    setProblem(null)
    setProblem(await act().catch(messageOf))
    setBusy(false)
  }
  const bodyOf = (Text: string, { per, minutes }: PriceChoices): Omit<Body, 'DryRun'> => ({
    ...{ HouseID: house.HouseID, TariffID: tariffId, Text, Per: per, Source: source.trim() },
    ...(minutes !== null && { Minutes: minutes }),
  })
  /** Only what was shown is stored: where nobody can say what a file would change, nothing that was said before counts. */
  const check = async (of: string, by: PriceChoices) => {
    const shown = api.call(importPrices, { body: { ...bodyOf(of, by), DryRun: true } })
    setChecked(await shown.catch(() => null))
    await shown
    return null
  }
  return {
    ...{ busy, problem, checked, choices, source, setSource },
    readFile: (file: File) =>
      run(async () => {
        setChecked(null)
        setText(null)
        if (!/\.(csv|txt|xml|xlsx?)$/i.test(file.name)) return t('notAFile')
        let given: string
        if (/\.xlsx?$/i.test(file.name)) {
          const sheet = await readWorkbook(file, maxRows, 'exact')
          if (typeof sheet === 'string') return t(sheet === 'tooBig' ? 'tooBig' : 'notAFile')
          given = textOfSheet(sheet)
        } else given = file.size > maxPriceText ? '' : await file.text()
        if (given === '' || given.length > maxPriceText) return t('tooBig')
        setText(given)
        return check(given, choices)
      }),
    choose: (to: PriceChoices) => {
      setChoices(to)
      if (text !== null) void run(() => check(text, to))
    },
    /** Stores what was shown; null: it was not. */
    store: async (): Promise<number | null> => {
      let stored: number | null = null
      await run(async () => {
        if (text === null) return null
        stored = (await change(importPrices, { body: { ...bodyOf(text, choices), DryRun: false } })).Changed
        return null
      })
      return stored
    },
    saveTemplate: () =>
      run(async () => {
        const lines = [
          [t('headTime'), `${t('headPrice')} ${currency}/${choices.per}`],
          ['2026-01-01 00:00', ''],
        ]
        return (await saveWorkbook(`${t('templateFile')}.xlsx`, t('sheet'), lines)) ? null : t('notAFile')
      }),
  }
}
