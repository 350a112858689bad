import { addGateways, maxGateways } from '@linewarden/contract'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../../app/net/api.ts'
import { NoChoice } from '../../../app/net/no-choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { said } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { PickField } from '../../../ui/pick-field.tsx'
import { useProjectNames } from '../queries.ts'
import { CheckedRows } from './checked-rows.tsx'
import type { Placed, Problem } from './columns.ts'
import { columns, problemsOf, readColumns, toSend } from './columns.ts'
import './import-dialog.css'
import { readWorkbook, saveWorkbook } from './workbook.ts'

interface Checked {
  readonly rows: readonly Placed[]
  /** By the row's place in `rows`. */
  readonly problems: ReadonlyMap<number, readonly Problem[]>
}

type Secrets = readonly { readonly Number: string; readonly Secret: string }[]

/** Many gateways from a spreadsheet: a template, a check that names every bad cell, then the good rows, and their secrets once. */
export function ImportDialog({ houseId, onClose }: { houseId: number | null; onClose: () => void }) {
  const { t } = useTranslation(['importing', 'app'])
  const projects = useProjectNames()
  const file = useRef<HTMLInputElement>(null)
  const [house, setHouse] = useState(houseId === null ? '' : String(houseId))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [checked, setChecked] = useState<Checked | null>(null)
  const [secrets, setSecrets] = useState<Secrets | null>(null)
  const [kept, setKept] = useState(false)

  const check = async (rows: readonly Placed[], into: string): Promise<Checked> => {
    const reply = await api.call(addGateways, {
      body: { HouseID: Number(into), DryRun: true, Rows: rows.map(toSend) },
    })
    return { rows, problems: problemsOf(rows, reply.Problems) }
  }
  /** One thing at a time; what goes wrong is said. */
  const run = async (act: () => Promise<string | null>) => {
    setBusy(true)
    setProblem(null)
    setProblem(await act().catch(messageOf))
    setBusy(false)
  }
  const take = (given: File) =>
    run(async () => {
      setChecked(null)
      if (house === '') return t('projectEmpty')
      const sheet = await readWorkbook(given, maxGateways)
      if (typeof sheet === 'string') return t(sheet, { most: maxGateways })
      const rows = readColumns(sheet)
      if (rows === null) return t('notTheTemplate')
      if (rows.length === 0) return t('noRows')
      setChecked(await check(rows, house))
      return null
    })
  const good = checked?.rows.filter((_, index) => !checked.problems.has(index)) ?? []
  const add = () =>
    run(async () => {
      const body = { HouseID: Number(house), DryRun: false, Rows: good.map(toSend) }
      const reply = await api.call(addGateways, { body })
      if (reply.Added === 0 && checked) {
        setChecked(await check(checked.rows, house))
        return t('changed')
      }
      setSecrets(reply.Gateways)
      return null
    })
  const saveSecrets = () =>
    run(async () => {
      const lines = (secrets ?? []).map((each) => [each.Number, each.Secret])
      const done = await saveWorkbook(`${t('secretsFile')}.xlsx`, t('sheet'), [[t('heads.Number'), t('secret')], ...lines])
      setKept(done)
      return done ? null : t('unreadable')
    })
  const saveBad = () =>
    run(async () => {
      const bad = (checked?.rows ?? []).flatMap(({ row }, index) => {
        const wrong = checked?.problems.get(index)
        if (!wrong) return []
        const why = wrong.map(({ Column, Text }) => `${headOf(Column)}: ${said(Text)}`).join('; ')
        return [[...columns.map((column) => row[column]), why]]
      })
      const head = [...columns.map((column) => t(`heads.${column}`)), t('problem')]
      return (await saveWorkbook(`${t('failedFile')}.xlsx`, t('sheet'), [head, ...bad])) ? null : t('unreadable')
    })
  const headOf = (name: string) => {
    const column = columns.find((each) => each === name)
    return column ? t(`heads.${column}`) : name
  }
  const saveTemplate = () =>
    run(async () => {
      const head = columns.map((column) => t(`heads.${column}`))
      return (await saveWorkbook(`${t('templateFile')}.xlsx`, t('sheet'), [head])) ? null : t('unreadable')
    })

  return (
    <Dialog label={t('title')} wide stays={secrets !== null && !kept} onClose={onClose}>
      <h2>{t('title')}</h2>
      <div className="content import-dialog">
        {secrets ? (
          <>
            <p>
              <b>{t('done', { count: secrets.length })}</b>
            </p>
            <p className="caution" role="alert">
              <Mark kind="warning" />
              {t('secretsOnce')}
            </p>
            <button type="button" className="btn" disabled={busy} onClick={saveSecrets}>
              <Icon name="download" />
              {t('secrets')}
            </button>
          </>
        ) : (
          <>
            <p>{t('steps')}</p>
            <p className="mute">{t('limits', { most: maxGateways })}</p>
            <PickField
              label={t('project')}
              value={house}
              placeholder={t('choose')}
              disabled={busy}
              options={(projects.data?.items ?? []).map(({ HouseID, Name }) => ({ value: String(HouseID), label: Name }))}
              onChange={(value) => {
                setHouse(value)
                setChecked(null)
              }}
              required
            />
            <NoChoice query={projects} />
            <div className="chips">
              <button type="button" className="btn" disabled={busy} onClick={saveTemplate}>
                <Icon name="download" />
                {t('template')}
              </button>
              <button type="button" className="btn" disabled={busy} onClick={() => file.current?.click()}>
                <Icon name="page" />
                {checked ? t('otherFile') : t('file')}
              </button>
              <input
                ref={file}
                type="file"
                hidden
                aria-label={t('file')}
                accept=".xls,.xlsx"
                onChange={(event) => {
                  const given = event.target.files?.[0]
                  // The same file may be chosen again after it was corrected.
                  event.target.value = ''
                  if (given) void take(given)
                }}
              />
            </div>
            {checked && <CheckedRows rows={checked.rows} problems={checked.problems} headOf={headOf} />}
          </>
        )}
        {busy && <p role="status">{t('reading')}</p>}
        {problem !== null && (
          <p className="problem" role="alert">
            <Mark kind="alarm" />
            {problem}
          </p>
        )}
      </div>
      <div className="foot">
        {checked && checked.problems.size > 0 && (
          <button type="button" className="btn" disabled={busy} onClick={saveBad}>
            {t('failedRows')}
          </button>
        )}
        {secrets && !kept && <span className="mute">{t('secretsHint')}</span>}
        <button type="button" className="btn" disabled={secrets !== null && !kept} onClick={onClose}>
          {t('app:close')}
        </button>
        {checked && !secrets && (
          <button type="button" className="btn primary" disabled={busy || good.length === 0} onClick={add}>
            {t('import', { count: good.length })}
          </button>
        )}
      </div>
    </Dialog>
  )
}
