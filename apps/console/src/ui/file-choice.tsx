import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'

/** A button that asks for a file to read: the same file again, too, after it was corrected. `first`: a dialog begins with it. */
export function FileChoice(props: {
  accept: string
  /** Left out: "choose a file". */
  label?: string | undefined
  disabled: boolean
  first?: boolean
  onFile: (file: File) => void
}) {
  const { accept, label, disabled, first, onFile } = props
  const { t } = useTranslation('app')
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        className="btn"
        data-first={first ? true : undefined}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        <Icon name="page" />
        {label ?? t('chooseFile')}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t('chooseFile')}
        accept={accept}
        onChange={(event) => {
          const given = event.target.files?.[0]
          event.target.value = ''
          if (given) onFile(given)
        }}
      />
    </>
  )
}
