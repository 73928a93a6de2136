# Homebrew's formula of a release: bundle/release.js writes it with the URL and the SHA-256 of the package.
class Ptxrun < Formula
  desc "Runs NVIDIA PTX without a GPU, bit for bit"
  homepage "{homepage}"
  url "{url}"
  sha256 "{sha256}"
  license "MIT"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("share/man/man1/*")
    bash_completion.install "dist/completions/ptxrun.bash" => "ptxrun"
    fish_completion.install "dist/completions/ptxrun.fish"
    zsh_completion.install "dist/completions/_ptxrun"
  end

  test do
    assert_match "0x4300", shell_output("#{bin}/ptxrun -e 'add.f16 d, a, b;' -r a=1.5 -r b=2.0")
  end
end
