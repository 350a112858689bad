import type { Reply, Request } from '@linewarden/contract'
import { importCalendar } from '@linewarden/contract'
import type { DayClass } from '@linewarden/rules/automation'
import { maxImportDays } from '@linewarden/rules/automation'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { readWorkbook, saveWorkbook } from '../../site/import/workbook.ts'
import { columns, maxIcsBytes, rowsOfDays } from './read-days.ts'
import type { Whose } from './whose.ts'
import { forWhom } from './whose.ts'

type Content = Pick<Request<typeof importCalendar>['body'], 'Ics' | 'Rows'>
export type Checked = Reply<typeof importCalendar>
export interface Choices {
  readonly plain: DayClass
  readonly over: boolean
  readonly isPublic: boolean
}

/** An import from its file to the days that are stored; what goes wrong is its `problem`. */
export function useCalendarImport(house: number, whose: Whose) {
  const { t } = useTranslation('dayCalendar')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [content, setContent] = useState<Content | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const [choices, setChoices] = useState<Choices>({ plain: 'holiday', over: false, isPublic: false })
  const run = async (act: () => Promise<string | null>) => {
    setBusy(true)
    setProblem(null)
    setProblem(await act().catch(messageOf))
    setBusy(false)
  }
  const bodyOf = (of: Content, { plain, over, isPublic }: Choices) => ({
    ...{ HouseID: house, ...forWhom(whose), ...of },
    ...{ PlainClass: plain, OverEntered: over, Public: isPublic },
  })
  const check = async (of: Content, by: Choices) =>
    setChecked(await api.call(importCalendar, { body: { ...bodyOf(of, by), DryRun: true } }))
  const read = async (file: File): Promise<Content | string> => {
    if (/\.ics$/i.test(file.name)) return file.size > maxIcsBytes ? t('tooBig') : { Ics: await file.text() }
    if (!/\.xlsx?$/i.test(file.name)) return t('notACalendar')
    const sheet = await readWorkbook(file, maxImportDays)
    if (typeof sheet === 'string') return t(sheet, { most: maxImportDays })
    const Rows = rowsOfDays(sheet)
    if (Rows === null) return t('notTheTemplate')
    return Rows.length === 0 ? t('noRows') : { Rows }
  }
  return {
    busy,
    problem,
    checked,
    choices,
    isIcs: content?.Ics !== undefined,
    readFile: (file: File) =>
      run(async () => {
        setChecked(null)
        setContent(null)
        const given = await read(file)
        if (typeof given === 'string') return given
        await check(given, choices)
        setContent(given)
        return null
      }),
    choose: (to: Choices) => {
      setChoices(to)
      if (content) void run(() => check(content, to).then(() => null))
    },
    /** Stores what was shown. True when it is done. */
    store: async (): Promise<number | null> => {
      let stored: number | null = null
      await run(async () => {
        if (!content) return null
        const reply = await change(importCalendar, { body: { ...bodyOf(content, choices), DryRun: false, LeaveOut: true } })
        stored = reply.Stored
        return null
      })
      return stored
    },
    saveTemplate: () =>
      run(async () => {
        const lines = [columns.map((column) => t(`heads.${column}`))]
        return (await saveWorkbook(`${t('templateFile')}.xlsx`, t('sheet'), lines)) ? null : t('unreadable')
      }),
  }
}
