import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/icon.tsx'
import type { Choice } from '../../../ui/pick-list.tsx'
import { Popover } from '../../../ui/popover.tsx'

/** A filter of a list: any of several, ticked under a button that says how many are. */
export function ChoiceFilter({
  label,
  chosen,
  options,
  searched = false,
  onChange,
}: {
  label: string
  chosen: readonly string[]
  options: readonly Choice[]
  /** There are so many that one is looked for. */
  searched?: boolean
  onChange: (values: ReadonlySet<string>) => void
}) {
  const { t } = useTranslation('alarmList')
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = options.filter(({ label: name, note = '' }) => `${name} ${note}`.toLowerCase().includes(wanted))
  const toggle = (value: string) => {
    const values = new Set(chosen)
    if (!values.delete(value)) values.add(value)
    onChange(values)
  }
  return (
    <span className={chosen.length > 0 ? 'choice-filter narrowed' : 'choice-filter'}>
      <Popover
        label={chosen.length > 0 ? t('chosenOf', { name: label, count: chosen.length }) : label}
        icon={<Icon name="down" />}
      >
        {searched && (
          <label className="field">
            <Icon name="search" />
            <input
              type="search"
              maxLength={64}
              aria-label={t('findKey')}
              placeholder={t('findKey')}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          </label>
        )}
        <div className="options">
          {found.map(({ value, label: name, note }) => (
            <label key={value} className="option">
              <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
              <span>
                {name}
                {note !== undefined && note !== value && <small>{note}</small>}
              </span>
            </label>
          ))}
          {found.length === 0 && <p className="mute">{t('noKey')}</p>}
        </div>
      </Popover>
    </span>
  )
}
