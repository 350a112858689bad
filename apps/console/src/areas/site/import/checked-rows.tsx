import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localised } from '../../../ui/i18n.ts'
import { Mark } from '../../../ui/mark.tsx'
import type { Placed, Problem } from './columns.ts'
import { columns, headOf } from './columns.ts'

/** Every row of the file as it was read, the bad cells marked, and what is wrong with each. */
export function CheckedRows({ rows, problems }: { rows: readonly Placed[]; problems: ReadonlyMap<number, readonly Problem[]> }) {
  const { t } = useTranslation('importing')
  const [onlyBad, setOnlyBad] = useState(problems.size > 0)
  const shown = rows.map((placed, index) => ({ placed, index })).filter(({ index }) => !onlyBad || problems.has(index))
  return (
    <>
      <p role="status">
        <b>{t('checked', { total: rows.length, good: rows.length - problems.size, bad: problems.size })}</b>
      </p>
      {problems.size > 0 && (
        <label className="only-bad">
          <input type="checkbox" checked={onlyBad} onChange={() => setOnlyBad(!onlyBad)} />
          {t('onlyBad')}
        </label>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div className="checked-rows" tabIndex={0}>
        <table aria-label={t('state')}>
          <thead>
            <tr>
              <th className="end">{t('row')}</th>
              {columns.map((column) => (
                <th key={column}>{t(`heads.${column}`)}</th>
              ))}
              <th>{t('state')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ placed: { at, row }, index }) => {
              const wrong = problems.get(index) ?? []
              return (
                <tr key={at}>
                  <td className="end">{at}</td>
                  {columns.map((column) => {
                    const bad = wrong.some(({ Column }) => Column === column)
                    return (
                      <td key={column} className={bad ? 'bad' : undefined}>
                        {row[column] || '–'}
                      </td>
                    )
                  })}
                  <td className="why">
                    {wrong.length === 0
                      ? t('good')
                      : wrong.map(({ Column, Text }) => (
                          <span key={Column}>
                            <Mark kind="alarm" size={12} /> {headOf(t, Column)}: {localised(Text)}
                          </span>
                        ))}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </>
  )
}
