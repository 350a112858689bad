const feeders = [0, 1, 2, 3, 4, 5]

/** A single-line diagram: what this product is about, in ink. Decoration only. */
export function LoginDrawing() {
  return (
    <svg className="art" viewBox="0 0 720 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="2">
        <path d="M360 0V150M360 214V320" />
        <circle cx="360" cy="172" r="24" />
        <circle cx="360" cy="196" r="24" />
        <path d="M60 320H660" strokeWidth="5" />
        {feeders.map((feeder) => {
          const x = 100 + feeder * 104
          const open = feeder === 3
          return (
            <g key={feeder} className={open ? 'told' : undefined}>
              {open && <path d={`M${x - 40} 392h-16v106h16M${x + 40} 392h16v106h-16`} />}
              <path d={`M${x} 320V420M${x} 470V${600 + (feeder % 3) * 60}`} />
              <path d={open ? `M${x} 470L${x - 22} 428` : `M${x} 470V420`} strokeWidth={open ? 3 : 4} />
              <path d={`M${x - 6} 414l12 12M${x + 6} 414l-12 12`} />
              <circle cx={x} cy="470" r="4" fill="currentColor" stroke="none" />
              <path d={`M${x - 16} ${600 + (feeder % 3) * 60}h32l-16 22z`} strokeDasharray={open ? '4 4' : undefined} />
            </g>
          )
        })}
      </g>
    </svg>
  )
}
