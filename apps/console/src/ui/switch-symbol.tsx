export type SwitchState = 'closed' | 'open' | 'tripped' | 'unknown' | 'offline' | 'opening' | 'closing'

/** The switch as an electrician draws it (IEC 60617). It stands where the equipment reported; a command under way is only a dashed hint. */
export function SwitchSymbol({ state }: { state: SwitchState }) {
  return (
    <svg className="switch" viewBox="0 0 36 16" strokeWidth="1.600" aria-hidden="true">
      {state === 'offline' ? (
        <>
          <path d="M0 10H12M24 10H36" strokeDasharray="1.500 2" />
          <path d="M21.500 7.500l5 5M26.500 7.500l-5 5" />
          <circle cx="12" cy="10" r="1.700" />
          <path d="M13.500 10H24" strokeDasharray="3 2" />
        </>
      ) : (
        <>
          <path d="M0 10H12M24 10H36" />
          <path d="M21.500 7.500l5 5M26.500 7.500l-5 5" />
          <circle cx="12" cy="10" r="1.800" fill="currentColor" stroke="none" />
          <Blade state={state} />
        </>
      )}
    </svg>
  )
}

function Blade({ state }: { state: Exclude<SwitchState, 'offline'> }) {
  switch (state) {
    case 'closed':
      return <path d="M12 10H24" strokeWidth="2.600" />
    case 'open':
      return <path d="M12 10 22.500 3" strokeWidth="2.200" />
    case 'tripped':
      return (
        <>
          <path d="M12 10 22.500 2" strokeWidth="2.200" />
          <path d="M12.600 1.200 18.200 1.600 14.400 6.200z" fill="currentColor" stroke="none" />
        </>
      )
    case 'opening':
      return (
        <>
          <path d="M12 10H24" strokeWidth="2.600" />
          <path className="move" d="M12 10 22.500 3" strokeDasharray="2 2" strokeWidth="1.400" />
        </>
      )
    case 'closing':
      return (
        <>
          <path d="M12 10 22.500 3" strokeWidth="2.200" />
          <path className="move" d="M12 10H24" strokeDasharray="2 2" strokeWidth="1.400" />
        </>
      )
    case 'unknown':
      return (
        <>
          <path d="M12 10 23 6" strokeWidth="1.800" strokeDasharray="2 2" />
          <path d="M15.800 2.400a2 2 0 1 1 2.400 2v1M18.200 6.400v.9" strokeWidth="1.300" />
        </>
      )
  }
}
