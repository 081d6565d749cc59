/** Colours words by their meaning, in the terminal's 16 configurable colours. */
export type Paint = Readonly<
  Record<'good' | 'bad' | 'caution' | 'accent' | 'faint', (text: string) => string>
>;

export function createPaint(color: boolean): Paint {
  const style = (on: number, off: number) => (text: string) =>
    color ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    good: style(32, 39),
    bad: style(31, 39),
    caution: style(33, 39),
    accent: style(36, 39),
    faint: style(2, 22),
  };
}

export const PLAIN_PAINT = createPaint(false);

export interface Screen {
  readonly columns: number;
  readonly paint: Paint;
}

/** The layout of formats that no terminal shows. */
export const PLAIN_SCREEN: Screen = { columns: 80, paint: PLAIN_PAINT };
