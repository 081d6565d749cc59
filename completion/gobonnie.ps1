# Completes gobonnie's command lines in PowerShell 5.1 and newer.
#
# To load it in every shell, add this line to the file $PROFILE:
#   gobonnie completion powershell | Out-String | Invoke-Expression
#
# Some versions of PowerShell complete flags only after -- and a letter.

Register-ArgumentCompleter -Native -CommandName gobonnie -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  # With Stop, PowerShell 5 would fail if Node.js printed a warning.
  $ErrorActionPreference = 'Continue'

  $before = @()
  $typed = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    $length = $cursorPosition - $element.Extent.StartOffset
    if ($length -le 0) { break }
    $text = $element.Extent.Text
    # PowerShell 5 escapes neither quotes nor a backslash before the quote that it adds, so remove both.
    $plain = $text.Substring(0, [Math]::Min($length, $text.Length)) -replace '[''"`]' -replace '\\+$'
    if ($length -gt $text.Length) { $before += $plain } else { $typed = $plain }
  }
  # The word at the cursor comes first, after a dot, because PowerShell 5 drops empty words.
  $kind, $lines = @(& gobonnie __complete ".$typed" @before 2>$null)
  # Without offers, PowerShell itself completes files.
  if (-not $kind -or $kind -eq 'files' -or $kind -eq 'directories') { return }

  $flag = if ($typed -match '^--?[\w-]+=') { $Matches[0] } else { '' }
  $quote = if ($wordToComplete -match '^[''"]') { $Matches[0] } else { '' }
  # After a comma, PowerShell replaces only the text after it.
  $kept = if ($typed.EndsWith($wordToComplete)) { $typed.Length - $wordToComplete.Length } else { 0 }
  $offers = foreach ($line in $lines) {
    $word, $help = $line -split "`t", 2
    if (-not $help) { $help = $word }
    $type = if ($word -like '-*') { 'ParameterName' } else { 'ParameterValue' }
    $text = $quote + ($flag + $word).Substring($kept) + $quote
    [System.Management.Automation.CompletionResult]::new($text, $word, $type, $help)
  }
  if ($offers) { $offers } else { '' }
}
